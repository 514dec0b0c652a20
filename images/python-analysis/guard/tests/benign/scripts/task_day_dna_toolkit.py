"""Small bioinformatics helpers: FASTA, translation, GC content, ORFs, alignment."""
import sys
from collections import Counter
from io import StringIO
from typing import Dict, Iterator, TextIO, Tuple

FASTA = """>geneA synthetic
ATGGCCATTGTAATGGGCCGCTGAAAGGGTGCCCGATAG
>geneB short
ATGAAATAG
"""
BASES = "TCAG"
AMINO = "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"
CODONS: Dict[str, str] = {a + b + c: AMINO[16 * i + 4 * j + k] for i, a in enumerate(BASES) for j, b in enumerate(BASES) for k, c in enumerate(BASES)}
COMPLEMENT = str.maketrans("ACGT", "TGCA")


def read_fasta(handle: TextIO) -> Iterator[Tuple[str, str]]:
    header, chunks = None, []
    for line in handle:
        line = line.rstrip()
        if line.startswith(">"):
            if header is not None:
                yield header, "".join(chunks)
            header, chunks = line[1:].split()[0], []
        else:
            chunks.append(line)
    if header is not None:
        yield header, "".join(chunks)


def reverse_complement(seq: str) -> str:
    return seq.translate(COMPLEMENT)[::-1]


def translate(seq: str, to_stop: bool = False) -> str:
    protein = "".join(CODONS.get(seq[i:i + 3], "X") for i in range(0, len(seq) - 2, 3))
    return protein.split("*")[0] if to_stop else protein


def orfs(seq: str, min_length: int = 2):
    for strand, s in (("+", seq), ("-", reverse_complement(seq))):
        for frame in range(3):
            protein = translate(s[frame:])
            start = protein.find("M")
            while start != -1:
                stop = protein.find("*", start)
                if stop == -1:
                    break
                if stop - start >= min_length:
                    yield strand, frame, protein[start:stop]
                start = protein.find("M", stop)


def align(a: str, b: str, match=1, mismatch=-1, gap=-2):
    n, m = len(a), len(b)
    score = [[0] * (m + 1) for _ in range(n + 1)]
    for i in range(1, n + 1):
        score[i][0] = i * gap
    for j in range(1, m + 1):
        score[0][j] = j * gap
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            diag = score[i - 1][j - 1] + (match if a[i - 1] == b[j - 1] else mismatch)
            score[i][j] = max(diag, score[i - 1][j] + gap, score[i][j - 1] + gap)
    top, low, i, j = [], [], n, m
    while i or j:
        if i and j and score[i][j] == score[i - 1][j - 1] + (match if a[i - 1] == b[j - 1] else mismatch):
            i, j = i - 1, j - 1
            top.append(a[i]); low.append(b[j])
        elif i and score[i][j] == score[i - 1][j] + gap:
            i -= 1
            top.append(a[i]); low.append("-")
        else:
            j -= 1
            top.append("-"); low.append(b[j])
    return score[n][m], "".join(reversed(top)), "".join(reversed(low))


for name, seq in read_fasta(StringIO(FASTA)):
    gc = 100 * sum(map(seq.count, "GC")) / len(seq)
    print(name, len(seq), f"GC={gc:.1f}%", translate(seq), dict(sorted(Counter(seq).items())))
    for orf in orfs(seq):
        print("  ORF", *orf)
print(*align("GATTACA", "GCATGCA"), sep="\n")
print(reverse_complement("ATGC"), translate("ATGNNNTAA"), file=sys.stdout)
kmers = Counter(FASTA[15:40][i:i + 2] for i in range(20))
print(kmers.most_common(3))
