interface TestTask {
  /** Script of the goal. */
  readonly check: string
  readonly solve?: string
  /** Further fields of the goal, as YAML. */
  readonly fields?: string
  readonly needs?: string
  /** Script of a guard. */
  readonly guard?: string
}

interface TestStep {
  readonly setup?: string
  readonly tasks: Readonly<Record<string, TestTask>>
}

/** Returns the files of a guide whose scripts are given as texts and run as the learner. */
export function guideOf(id: string, steps: Readonly<Record<string, TestStep>>, setup?: string): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  const script = (path: string, text: string) => {
    files.set(path, Buffer.from(`#!/bin/bash\n${text}\n`))
    return `run: ${path}, as: learner`
  }
  const lines = [
    `{format: 1, id: ${id}, title: Guide ${id}, summary: A test., language: en, minutes: 5,`,
    'machines: [{name: desk, os: linux}],',
    ...(setup === undefined ? [] : [`setup: [{${script('setup.sh', setup)}}],`]),
    'steps: [',
  ]
  for (const [step, { setup: ofStep, tasks }] of Object.entries(steps)) {
    files.set(`${step}.md`, Buffer.from(`Step ${step}.`))
    lines.push(`{id: ${step}, title: Step ${step}, text: ${step}.md,`)
    if (ofStep !== undefined) lines.push(`setup: [{${script(`${step}-setup.sh`, ofStep)}}],`)
    lines.push('tasks: [')
    for (const [task, { check, solve, guard, fields = '', needs }] of Object.entries(tasks)) {
      lines.push(`{id: ${task}, title: Task ${task}, ${needs === undefined ? '' : `needs: [${needs}],`} checks: [`)
      lines.push(`{id: goal, title: Goal, ${script(`${task}.sh`, check)}${fields}},`)
      if (guard !== undefined)
        lines.push(`{id: guard, title: Guard, kind: guard, ${script(`${task}-guard.sh`, guard)}},`)
      lines.push('],', solve === undefined ? '' : `solve: [{${script(`${task}-solve.sh`, solve)}}]`, '},')
    }
    lines.push(']},')
  }
  files.set('guide.yaml', Buffer.from([...lines, ']}', ''].join('\n')))
  return files
}
