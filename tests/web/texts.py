"""Pairs whose five kinds of mark are all there, in text written for these tests."""

from __future__ import annotations

from typing import Any

REFERENCES = {
    "chest-1": "There is a 9 mm nodule in the right upper lobe. Small left pleural effusion. The heart is enlarged.",
    "chest-2": "Moderate right pleural effusion. No pneumothorax. Old rib fracture on the left.",
    "chest-3": "The lungs are clear. No pleural effusion. The heart is normal in size.",
    "liver-1": "Simple cyst in the left lobe of the liver measuring 2.5 cm. No ascites. Cholelithiasis.",
    "liver-2": "The liver is enlarged. Moderate ascites. The spleen is normal.",
}
PREDICTIONS = {
    "careful": {
        "chest-1": "A 9 mm nodule is seen in the right upper lobe. Small left pleural effusion. Cardiomegaly.",
        "chest-2": "Moderate right pleural effusion.",
        "chest-3": "The lungs are clear. No effusion.",
        "liver-1": "Liver cyst of 25 mm in the left lobe. Gallstones.",
        "liver-2": "Hepatomegaly. Moderate ascites.",
    },
    "bold": {
        "chest-1": "A 9 mm nodule is seen in the left upper lobe. No pleural effusion. Pneumothorax on the right.",
        "chest-2": "Small right pleural effusion. Emphysema.",
        "chest-3": "Consolidation in the left lower lobe.",
        "liver-1": "No cyst is seen. The gallbladder is normal. Splenomegaly.",
        "liver-2": "The liver is normal. No ascites.",
    },
    "silent": dict.fromkeys(REFERENCES, "The lungs are clear. No pleural effusion. The liver is normal."),
}
PAIRS: list[dict[str, Any]] = [
    {"id": id, "system": system, "reference": REFERENCES[id], "prediction": text}
    for system, said in PREDICTIONS.items()
    for id, text in said.items()
]

HARM = (
    '</script><script>window.HARMED=1</script><img src=x onerror="window.HARMED=2">'
    '<details open ontoggle="window.HARMED=3">'
    " \u202egnitacided\u202c {{7*7}} ${7*7} \\\" ' <!-- ]]> \u2028 \u05e9\u05dc\u05d5\u05dd \U0001f600\U0001f600 "
)
"""Markup, script, template signs, direction marks, line separators, right-to-left letters and wide characters."""
EVIL = (
    '<img src=x onerror="window.HARMED=4">|[x](javascript:alert(1))',
    "\u202eevil\"'&amp;</title><script>window.HARMED=5</script>",
    "=cmd|' /C calc'!A0",
)
HOSTILE: list[dict[str, Any]] = [
    {
        "id": f'r{n}"><script>window.HARMED=6</script>\u202e\U0001f600',
        "system": system,
        "reference": f"Small left pleural effusion. {HARM} 9 mm nodule in the right upper lobe.",
        "prediction": f"{HARM} Small right pleural effusion. {HARM} Cardiomegaly. No nodule.",
    }
    for n in range(4)
    for system in EVIL
]
