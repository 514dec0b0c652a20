cwlVersion: v1.2
class: CommandLineTool
doc: A script in the sandbox; its verified files, and the answer as JSON.

baseCommand: [runner, run, --json]
arguments: [--output, released]

requirements:
  EnvVarRequirement: # cwltool hands on no other variable of yours
    envDef:
      HOTCELL_SERVER: $(inputs.server)

hints:
  ToolTimeLimit:
    timelimit: 900
  NetworkAccess: # the command asks the service; the script has no network
    networkAccess: true
  WorkReuse:
    enableReuse: false

inputs:
  server:
    type: string
    default: unix:///run/hotcell/hotcell.sock
  policy:
    type: string
    default: study-analysis
    inputBinding: {prefix: --policy}
  bundle:
    type: string
    inputBinding: {prefix: --bundle}
  timeout:
    type: string?
    inputBinding: {prefix: --timeout}
  script:
    type: File
    inputBinding: {position: 1}

stdout: result.json

outputs:
  result:
    type: stdout
  released: # optional: a run that released nothing has its own exit code, and not a missing output
    type: Directory?
    outputBinding: {glob: released}

# 125 says nothing of the script: the runner or its host failed. All others are the same the next time.
successCodes: [0]
temporaryFailCodes: [125]
permanentFailCodes: [1, 2, 3, 4, 5, 6, 7, 8, 9]
