// A script in the sandbox, and a process behind it that reads what was released.
nextflow.enable.dsl = 2

params.script = 'analysis.py'
params.bundle = 'public-health'
params.policy = 'study-analysis'
params.flags = ''

process ANALYSIS {
    publishDir 'results', mode: 'copy'

    input:
    path script
    val bundle

    output:
    path 'released', emit: released
    path 'result.json', emit: result

    script:
    """
    exec runner run --json --policy ${params.policy} --bundle ${bundle} ${params.flags} --output released ${script} >result.json
    """
}

process COUNT {
    input:
    path released

    output:
    stdout

    script:
    """
    wc -c ${released}/*
    """
}

workflow {
    ANALYSIS(Channel.fromPath(params.script), params.bundle)
    COUNT(ANALYSIS.out.released) | view
}
