import tokenize, io, token
for t in tokenize.generate_tokens(io.StringIO("a = 1 # c\n").readline): print(token.tok_name[t.type], t.string)
