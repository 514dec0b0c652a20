"""What the arguments of scipy's native functions for sparse matrices are, and how much of each they read or write.

They believe it all: how many rows there are, where these begin, and that the arrays for the
result are as long as the result will be. A subclass says what it likes of the one, and
arrays are anybody's to change. One word for each argument, after what scipy's C++ says:

    M       a number that is not negative; R+ one that is 1 or more; k? any
    P:M     where each of M rows begins, and the last ends: that is z, or y where the word is p
    J:z<m   z places, each below m; without <m any
    W:z<m   z places, each below m and not below -m
    X:z     z numbers or more, read, or places that are handed on or compared
    Y:z     z numbers or more, written
    Q:m     m places or more, which the function writes and then reads again
    .       anything

An exclamation mark: the function changes the places. Words without an argument come last:

    t=name  t is what the function of that name in _sparse_indices says of the arguments
    a<=b    is so
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

__all__ = ["ROUTINES", "SOLVERS"]

_COMPARED: Final = "eldiv elmul ge gt le lt maximum minimum minus ne plus".split()
"""Functions of two matrices of the same shape."""
_CS: Final = "P:M J:z<m X:z"
_BS: Final = "M m R+ C+ P:M J:z<m X:z*R*C"
_TWO: Final = f"{_CS} p:M J:y<m X:y Y:M+1 Y:z+y Y:z+y"
_COPIED: Final = "P:M X:z X:z"
"""A matrix by rows, whose columns the function does not read by."""

ROUTINES: Final[dict[str, str]] = {
    "csr_tocsc": f"M m {_CS} Q:m+1 Y:z Y:z",
    "csc_tocsr": f"m M {_CS} Q:m+1 Y:z Y:z",
    "csr_todense": f"M m {_CS} Y:M*m",
    "csr_matvec": f"M m {_CS} X:m Y:M",
    "csc_matvec": f"m M {_CS} X:M Y:m",
    "csr_matvecs": f"M m k {_CS} X:m*k Y:M*k",
    "csc_matvecs": f"m M k {_CS} X:M*k Y:m*k",
    "csr_diagonal": f"k? M m {_COPIED} Y:t t=diagonal",
    "csc_diagonal": f"k? m M {_COPIED} Y:t t=other_diagonal",
    "csr_eliminate_zeros": "M m P!:M J!:z<m Y:z",
    "csr_sum_duplicates": "M m P!:M J!:z<m Y:z",
    "csr_sort_indices": "M P:M J!:z Y:z",
    "csr_scale_rows": "M m P:M X:z Y:z X:M",
    "csr_scale_columns": "M m P:M J:z<m Y:z X:m",
    "csr_sample_values": f"M m {_COPIED} s W:s<M X:s Y:s",
    "csr_sample_offsets": "M m P:M X:z s W:s<M X:s Y:s",
    "get_csr_submatrix": f"M m {_COPIED} a b e? f? a<=b b<=M",
    "csr_row_index": "s J:s P: X:z X:z Y:t Y:t t=rows",
    "csr_row_slice": "a? b? c? P: X:z X:z Y:t Y:t t=row_slice",
    "csr_column_index1": "s J:s<m M m P:M J:z<m Y:m Y:M+1",
    "csr_column_index2": "X: J: z J:z X:z Y:t Y:t t=columns",
    "csr_count_blocks": "M m R+ C+ P:M J:z<m t=block",
    "csr_tobsr": f"M m R+ C+ {_CS} Y:h+1 Y:t Y:t*R*C t=blocks",
    "csr_hstack": "b+ r X:b J: X: X: Y:r+1 Y:t Y:t t=beside",
    "csr_has_canonical_format": "M P:M X:z",
    "csr_has_sorted_indices": "M P:M X:z",
    "csr_matmat": "M n P:M J:z<i X:z p: J:y<n X:y Y:M+1 Y:t Y:t t=product",
    "csr_matmat_maxnnz": "M n P:M J:z<i p: J:y<n",
    "csc_matmat": "n M p: J:y<n X:y P:M J:z<i X:z Y:M+1 Y:t Y:t t=product_by_columns",
    "csc_matmat_maxnnz": "n M p: J:y<n P:M J:z<i",
    **{f"csr_{each}_csr": f"M m {_TWO}" for each in _COMPARED},
    **{f"csc_{each}_csc": f"m M {_TWO}" for each in _COMPARED},
    **{f"bsr_{each}_bsr": f"{_BS} p:M J:y<m X:y*R*C Y:M+1 Y:z+y Y:z*R*C+y*R*C t=block" for each in _COMPARED},
    "bsr_matvec": f"{_BS} X:m*C Y:M*R t=block",
    "bsr_matvecs": "M m k R+ C+ P:M J:z<m X:z*R*C X:m*C*k Y:M*R*k t=block",
    "bsr_scale_rows": "M m R+ C+ P:M X:z Y:z*R*C X:M*R t=block",
    "bsr_scale_columns": "M m R+ C+ P:M J:z<m Y:z*R*C X:m*C t=block",
    "bsr_sort_indices": "M m R+ C+ P!:M J!:z<m Y:z*R*C t=block",
    "bsr_transpose": f"{_BS} Q:m+1 Y:z Y:z*R*C t=block",
    "bsr_tocsr": "M m R+ C+ P:M X:z X:z*R*C Q:M*R+1 Y:z*R*C Y:z*R*C t=block",
    "bsr_diagonal": f"k? {_BS} Y:t t=block_diagonal",
    "bsr_matmat": "l M n R+ C+ N+ P:M J:z<i X:z*R*N p: J:y<n X:y*N*C Y:M+1 Y:t Y:t*R*C t=block_product",
    "expandptr": "M P:M Y:z",
    "cs_graph_components": "M P:M J:z<M Y:M",
    "coo_tocsr": "r c z J:z<r J:z<c X:z Q:r+1 Y:z Y:z",
    "coo_todense": "r c z J:z<r J:z<c X:z Y:r*c f?",
    "coo_todense_nd": "J:d z d J:z*d X:z Y:t f? t=place",
    "coo_matvec": "z J:z J:z X:z X: Y: t=coordinates",
    "coo_matmat_dense": "z k J:z J:z X:z X: Y: t=coordinates",
    "coo_matvec_nd": "z d+ J: J:z*d X:z X: Y:t t=vector_place",
    "coo_matmat_dense_nd": "z d k J:d J:d J:z*d X:z X: Y: t=matrix_places",
    "dia_matvec": "M m d l J:d X:d*l X:m Y:M",
}
"""The functions of scipy.sparse._sparsetools. M is the number of columns of a matrix by columns; i that of a second's rows."""

SOLVERS: Final[dict[str, str]] = {
    "gssv": "M n X:z J:z<M P:M Y: n<=z z<=n",
    "gstrf": "M n X:z J:z<M P:M n<=z z<=n",
    "gstrs": ". M n X:z J:z<M P:M m o X:y J:y<m p:m Y: n<=z z<=n o<=y y<=o t=triangles",
}
"""Those of scipy.sparse.linalg._dsolve._superlu, which take more arguments."""
