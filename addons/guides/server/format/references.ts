import { errorAt, type Finding, warningAt } from './finding.ts'
import {
  CLICK_SECONDS,
  type Guide,
  type GuideScript,
  type GuideTask,
  maximumOf,
  pointsOfTask,
  TIMEOUTS,
} from './schema.ts'

const FILE = 'guide.yaml'

interface Placed<T> {
  readonly at: string
  readonly value: T
}

const placed = <T>(values: readonly T[] = [], at: string): Placed<T>[] =>
  values.map((value, index) => ({ at: `${at}.${index}`, value }))

const placedTasks = ({ steps }: Guide): Placed<GuideTask>[] =>
  placed(steps, 'steps').flatMap(({ at, value }) => placed(value.tasks, `${at}.tasks`))

function placedScripts(guide: Guide): Placed<Pick<GuideScript, 'run' | 'machine'>>[] {
  return [
    ...placed(guide.setup, 'setup'),
    ...placed(guide.steps, 'steps').flatMap(({ at, value }) => placed(value.setup, `${at}.setup`)),
    ...placedTasks(guide).flatMap(({ at, value }) => [
      ...placed(value.checks, `${at}.checks`),
      ...placed(value.solve, `${at}.solve`),
    ]),
  ]
}

export const scriptFiles = (guide: Guide): Set<string> => new Set(placedScripts(guide).map(({ value }) => value.run))

/** True if one of these fields was left out below a place, so that nothing is known about all of them together. */
type IsIncomplete = (at: string, fields: readonly string[]) => boolean

/** Fields on which the points of a task depend. */
const OF_POINTS = ['points', 'checks', 'kind'] as const

/** Returns the errors that concern more than one field. */
export function wrongReferences(
  guide: Guide,
  files: ReadonlySet<string>,
  isIncomplete: IsIncomplete = () => false,
): Finding[] {
  const findings: Finding[] = []
  const add = (at: string, sentence: string) => findings.push(errorAt(FILE, at, sentence))
  const { machines, variables = [], steps } = guide

  const requireFile = (at: string, path: string) => {
    if (!files.has(path)) add(at, `The file ${path} does not exist.`)
  }
  const machineNames = new Set(machines.map(({ name }) => name))
  const requireMachine = (at: string, name: string | undefined) => {
    if (name !== undefined && !machineNames.has(name)) add(at, `There is no machine ${name}.`)
  }
  for (const { at, value } of placedScripts(guide)) {
    requireFile(`${at}.run`, value.run)
    requireMachine(`${at}.machine`, value.machine)
  }
  for (const { at, value } of placed(guide.files, 'files')) {
    requireFile(`${at}.from`, value.from)
    requireMachine(`${at}.machine`, value.machine)
  }
  for (const { at, value } of placed(steps, 'steps')) requireFile(`${at}.text`, value.text)

  const tasks = placedTasks(guide)
  const questions = placed(steps, 'steps').flatMap(({ at, value }) => placed(value.questions, `${at}.questions`))
  const repeated: [readonly Placed<{ id: string } | { name: string }>[], string][] = [
    [placed(machines, 'machines'), 'machine'],
    [placed(variables, 'variables'), 'variable'],
    [placed(steps, 'steps'), 'step'],
    [tasks, 'task'],
    [questions, 'question'],
    ...tasks.map(
      ({ at, value }) => [placed(value.checks, `${at}.checks`), 'check'] as [Placed<{ id: string }>[], string],
    ),
  ]
  for (const [all, what] of repeated) {
    const seen = new Set<string>()
    for (const { at, value } of all) {
      const key = 'id' in value ? value.id : value.name
      if (seen.has(key)) add(at, `There is another ${what} ${key}.`)
      seen.add(key)
    }
  }

  // A task needs earlier tasks, so that the needs have no cycle and the order of the text can be followed.
  const before = new Set<string>()
  const all = new Set(tasks.map(({ value }) => value.id))
  for (const { at, value } of tasks) {
    for (const need of value.needs ?? [])
      if (!before.has(need))
        add(`${at}.needs`, all.has(need) ? `The task ${need} must come before this one.` : `There is no task ${need}.`)
    before.add(value.id)
    if (!isIncomplete(at, OF_POINTS)) findings.push(...wrongPoints(at, value))
    if ((value.solve ?? []).length === 0 && !isIncomplete(at, ['solve']))
      findings.push(warningAt(FILE, at, 'The task has no solution, so that a proof stays incomplete.'))
    for (const { at: place, value: check } of placed(value.checks, `${at}.checks`)) {
      const { retry, timeout = TIMEOUTS.check } = check
      const seconds = retry === undefined ? 0 : retry.times * retry.every + timeout
      if (seconds > 60 && !isIncomplete(place, ['timeout']))
        add(
          `${place}.retry`,
          `The check could take ${seconds} seconds, times x every + timeout, and at most 60 are possible.`,
        )
    }
  }
  const variableNames = new Set(variables.map(({ name }) => name))
  for (const { at, value } of placed(steps, 'steps'))
    if (value.when !== undefined && !variableNames.has(value.when.variable))
      add(`${at}.when`, `There is no variable ${value.when.variable}.`)
  for (const { at, value } of questions) {
    if (isIncomplete(at, ['choices'])) continue
    const { kind, answer, choices } = value
    const indexes = kind === 'one' ? [answer] : kind === 'many' ? answer : null
    if (indexes !== null) {
      const isFitting =
        Array.isArray(indexes) &&
        indexes.every((index) => typeof index === 'number' && Number.isInteger(index) && index in (choices ?? []))
      if (choices === undefined) add(at, 'The question needs choices.')
      else if (!isFitting) add(`${at}.answer`, 'The answer must be the number of a choice, counted from 0.')
    } else if (choices !== undefined) add(`${at}.choices`, `A question of the kind ${kind} has no choices.`)
    if (kind === 'number' && typeof answer !== 'number') add(`${at}.answer`, 'The answer must be a number.')
    if (kind === 'text' && !(Array.isArray(answer) && answer.every((each) => typeof each === 'string')))
      add(`${at}.answer`, 'The answer must be a list of texts.')
  }
  if (guide.score !== undefined && maximumOf(guide) === 0 && !isIncomplete('', [...OF_POINTS, ...OF_MAXIMUM]))
    findings.push(warningAt(FILE, 'score', 'No task and no question gives points.'))
  return [...findings, ...tooLong(guide, isIncomplete), ...notYet(guide)]
}

/** Fields on which the maximum score depends, apart from those of a task. */
const OF_MAXIMUM = ['steps', 'tasks', 'questions', 'optional'] as const

function wrongPoints(at: string, task: GuideTask): Finding[] {
  const guards = task.checks.filter(({ kind, points }) => kind === 'guard' && points !== undefined)
  const goals = task.checks.filter(({ kind }) => kind === 'goal')
  const withPoints = goals.filter(({ points }) => points !== undefined).length
  if (guards.length > 0) return [errorAt(FILE, `${at}.checks`, 'A guard has no points.')]
  if (withPoints > 0 && withPoints < goals.length)
    return [errorAt(FILE, `${at}.checks`, 'All goals of a task have points, or none.')]
  const sum = pointsOfTask(task)
  if (withPoints > 0 && task.points !== undefined && sum !== task.points)
    return [
      errorAt(FILE, `${at}.points`, `The points of the checks are ${sum} together, those of the task ${task.points}.`),
    ]
  return []
}

/** Returns the longest time of scripts, without repetitions of checks: a check is not repeated if no time is left. */
const secondsOf = (scripts: readonly { readonly timeout?: number | undefined }[] = [], byDefault: number): number =>
  scripts.reduce((sum, { timeout = byDefault }) => sum + timeout, 0)

/** Returns the scripts of one click that could take too long. The first click on a step also prepares the guide. */
function tooLong(guide: Guide, isIncomplete: IsIncomplete): Finding[] {
  const setup = secondsOf(guide.setup, TIMEOUTS.setup)
  const clicks: [at: string, what: string, seconds: number][] = [
    ['setup', 'The setup', setup],
    ...placed(guide.steps, 'steps')
      .filter(({ value }) => value.setup !== undefined)
      .map(({ at, value }): [string, string, number] => [
        `${at}.setup`,
        'The setup of the guide and of the step',
        setup + secondsOf(value.setup, TIMEOUTS.stepSetup),
      ]),
    ...placedTasks(guide).flatMap(({ at, value }): [string, string, number][] => [
      // The decoy runs with the checks.
      [`${at}.checks`, 'The checks of the task', secondsOf(value.checks, TIMEOUTS.check) + TIMEOUTS.check],
      [`${at}.solve`, 'The solution of the task', secondsOf(value.solve, TIMEOUTS.solve)],
    ]),
  ]
  // A script without its time limit would count with the default one.
  const hasUnknownTime = (at: string) => ['setup', at].some((each) => isIncomplete(each, ['timeout']))
  return clicks
    .filter(([at, , seconds]) => seconds > CLICK_SECONDS && !hasUnknownTime(at))
    .map(([at, what, seconds]) =>
      errorAt(FILE, at, `${what} could take ${seconds} seconds, and at most ${CLICK_SECONDS} are possible.`),
    )
}

/** Returns what the format allows and the portal cannot do yet. */
function notYet({ machines, variables = [] }: Guide): Finding[] {
  return [
    ...(machines.length > 1 ? [errorAt(FILE, 'machines', 'Guides with several machines are not supported yet.')] : []),
    ...(machines.some(({ os }) => os === 'windows')
      ? [errorAt(FILE, 'machines', 'Guides for Windows are not supported yet.')]
      : []),
    ...placed(variables, 'variables')
      .filter(({ value }) => value.ask !== undefined)
      .map(({ at }) => errorAt(FILE, at, 'Variables that the learner enters are not supported yet.')),
  ]
}
