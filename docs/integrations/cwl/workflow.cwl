cwlVersion: v1.2
class: Workflow
doc: The analysis, and a step outside the sandbox that reads what was released.

inputs:
  script: File
  bundle: string

steps:
  analysis:
    run: analysis.cwl
    in: {script: script, bundle: bundle}
    out: [result, released]
  count:
    run:
      class: CommandLineTool
      baseCommand: [wc, -c]
      requirements:
        InlineJavascriptRequirement: {}
        LoadListingRequirement: {loadListing: shallow_listing}
      inputs:
        released: Directory
      arguments: ["$(inputs.released.listing.map(function (f) { return f.path; }))"]
      stdout: sizes.txt
      outputs:
        sizes: stdout
    in: {released: analysis/released}
    out: [sizes]

outputs:
  result: {type: File, outputSource: analysis/result}
  released: {type: Directory, outputSource: analysis/released}
  sizes: {type: File, outputSource: count/sizes}
