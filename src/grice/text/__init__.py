"""Text: how it is shown, folded, made plain, cut into sentences and words, and measured."""

from grice.text.display import plural, shorten, value_text, visible
from grice.text.folding import fold, fold_with_offsets, is_blank
from grice.text.sentences import sentences
from grice.text.suggest import did_you_mean
from grice.text.tokens import estimated_tokens

__all__ = [
    "did_you_mean",
    "estimated_tokens",
    "fold",
    "fold_with_offsets",
    "is_blank",
    "plural",
    "sentences",
    "shorten",
    "value_text",
    "visible",
]
