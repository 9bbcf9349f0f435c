"""From a finding to a test that keeps it from coming back: cut, shrunk, made safe to commit, proved."""

from grice.extracting.extraction import Extracted, NotExtractable, extract_finding
from grice.extracting.fault import Fault, faults_in
from grice.extracting.proving import Asking
from grice.extracting.pseudonyms import Pseudonyms

__all__ = ["Asking", "Extracted", "Fault", "NotExtractable", "Pseudonyms", "extract_finding", "faults_in"]
