import gzip
import io
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

VCF = """##fileformat=VCFv4.2
##INFO=<ID=DP,Number=1,Type=Integer,Description="Depth">
#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tS1\tS2
chr1\t1014\t.\tA\tG\t99\tPASS\tDP=42;AF=0.5\tGT\t0/1\t1/1
chr1\t2203\trs5\tC\tCT\t15\tLowQual\tDP=8;AF=0.1\tGT\t0/0\t0/1
chr2\t88\t.\tG\tA,T\t60\tPASS\tDP=30;AF=0.3,0.2;DB\tGT\t1/2\t0/0
"""


@dataclass(slots=True)
class Variant:
    chrom: str
    pos: int
    ref: str
    alts: list[str]
    qual: float
    filters: set[str]
    info: dict = field(default_factory=dict)
    genotypes: dict = field(default_factory=dict)

    @classmethod
    def parse(cls, line, samples):
        chrom, pos, _id, ref, alt, qual, filt, info, _fmt, *calls = line.rstrip("\n").split("\t")
        pairs = (item.partition("=") for item in info.split(";"))
        return cls(chrom, int(pos), ref, alt.split(","), float(qual), set(filt.split(";")),
                   {k: v if sep else True for k, sep, v in pairs}, dict(zip(samples, calls)))

    @property
    def kind(self):
        return "SNV" if all(len(a) == len(self.ref) == 1 for a in self.alts) else "indel"

    def __lt__(self, other):
        return (self.chrom, self.pos) < (other.chrom, other.pos)


def read_vcf(path: Path):
    opener = gzip.open if path.suffix == ".gz" else open
    samples = []
    with opener(path, "rt") as handle:
        for line in handle:
            if line.startswith("##"):
                continue
            if line.startswith("#"):
                samples = line.split()[9:]
                continue
            yield Variant.parse(line, samples)


path = Path("calls.vcf.gz")
with gzip.open(path, "wt") as out:
    out.write(VCF)
variants = list(read_vcf(path))
print(len(variants), Counter(v.kind for v in variants), max(variants).pos)
passed = [v for v in variants if v.qual >= 30 and "PASS" in v.filters]
for v in sorted(passed):
    print(f"{v.chrom}:{v.pos} {v.ref}>{'/'.join(v.alts)} {v.info} {v.genotypes}")
ti = {("A", "G"), ("G", "A"), ("C", "T"), ("T", "C")}
print("transitions:", sum((v.ref, a) in ti for v in variants for a in v.alts))
try:
    variants[0].extra = 1
except AttributeError as e:
    print(type(e).__name__)
with io.TextIOWrapper(io.BytesIO(b"a\tb\n1\t2\n"), encoding="ascii") as wrapper:
    print([l.split() for l in wrapper], file=sys.stdout)
print(path.stat().st_size < len(VCF) * 2, path.with_suffix("").suffix, path.stem)
