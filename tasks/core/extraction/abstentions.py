"""Where a response says that it gives no answer."""

import re

from tasks.core.extraction import languages

NO_OPTION = re.compile(
    r"""
    \bnone\s+of\s+(?:the|these|those|them|above|our|\(|options?|[A-J]\b)
  | \bneither\s+of\s+the\s+(?:given\s+)?options?\b
  | \bno\s+(?:correct\s+|valid\s+|given\s+|suitable\s+|right\s+|of\s+the\s+)?(?:options?|answers?
      |choices?|statements?)\s+
      (?:is|are|among|match(?:es)?|given|in|that|from|listed|provided|satisf(?:y|ies)|correspond)
  | \bnot\s+(?:listed\s+|given\s+|present\s+|included\s+|found\s+|available\s+)?(?:among|one\s+of
      |in|listed|any\s+of|matching\s+any)\b[^.\n]{0,40}\b(?:options?|choices?)\b
  | \b(?:does|do|did)\s*(?:not|n't)\s+(?:exactly\s+)?(?:match|correspond\s+to|appear\s+in
      |agree\s+with|equal)\s+(?:with\s+)?(?:any|the\s+given\s+options)\b
  | \bnot\s+match(?:ing)?\s+any\b
  | \bno\s+(?:option|answer|choice)\s+(?:(?:is|was|can\s+be|could\s+be)\s+)?
      (?:selected|chosen|picked|given|marked)\b
  | \b(?:error|mistake|typo)s?\s+in\s+the\s+(?:problem|question|given|options|provided)\b
    """
    + f"|{languages.NONE}",
    re.VERBOSE | re.IGNORECASE,
)

NO_VALUE = re.compile(
    r"""
    \b(?:cannot|can't|can\s+not|could\s+not|couldn't|unable\s+to|impossible\s+to|not\s+possible\s+to|not\s+able\s+to|difficult\s+to)\s+
      (?:be\s+)?(?:\w+ly\s+)?(?:determin|find|calculat|comput|solv|obtain|evaluat|answer|provid|giv|conclud|say|tell|decid|know)\w*
  | \b(?:not|n't)\s+(?:\w+\s+)?(?:enough|sufficient)\s+(?:information|data)\b
      | \binsufficient\s+(?:information|data)\b
  | \b(?:is|are)\s+(?:undefined|not\s+defined|indeterminate|not\s+solvable|unsolvable|ill-posed
      |inconsistent|contradictory)\b
  | \bdo(?:es)?\s+not\s+(?:exist|have\s+an?\s+(?:value|solution|answer|limit|unique))\b
  | \b(?:is|has|have|there\s+(?:is|are))\s+no\s+(?:such|real\s+solution|solution|answer|valid
      |unique)\b
  | \b(?:error|mistake|typo)s?\s+in\s+the\s+(?:problem|question|given|provided|data)\b
  | \bnot\s+possible\b | \bcontradicti(?:on|ory)\b
  | \bnone\s+of\s+the\b
    """
    + f"|{languages.NO_VALUE}",
    re.VERBOSE | re.IGNORECASE,
)

REFUSAL = re.compile(
    r"\bi(?:'m| am)\s+(?:sorry|unable|not able)\b|\bi\s+(?:cannot|can't|don't\s+know"
    r"|do\s+not\s+know)\b"
    r"|\bas an ai\b",
    re.IGNORECASE,
)

DECLARED_NONE = re.compile(
    r"[\s*_:$\"'({\[=-]*+(?:\\(?:text|mathrm|textbf)\s*+\{\s*+)?"
    r"(?:none|n/?a|null|no\s++(?:answer|option|solution)|no\s++correct\s++(?:answer|option)"
    rf"|ninguna|ninguno|aucune|keine|कोई\s++नहीं|无|なし|لا\s++شيء|нет|{languages.NONE})"
    r"[\s*_$\"')}\].!]*+$",
    re.IGNORECASE,
)
"""A declared answer that is no answer, and nothing beside it: `ANSWER: None`."""
