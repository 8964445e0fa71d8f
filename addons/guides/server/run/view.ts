import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { GuideQuestionView, GuideRunView, GuideTaskView } from '../../contract/guide.ts'
import type { CheckState, TaskState } from '../../contract/guide-words.ts'
import type { GuideNode } from '../../contract/guide-text.ts'
import {
  type Guide,
  type GuideQuestion,
  type GuideTask,
  maximumOf,
  pointsOfChecks,
  pointsOfTask,
  tasksOf,
} from '../format/schema.ts'
import { type TextsById, textsById } from '../format/translations.ts'
import { fillVariables, parseText } from '../text/parse-text.ts'
import type { QuestionAnswerRow, TaskResultRow } from '../../tables.gen.ts'
import { type OwnGuide, variablesOf } from './own-run.ts'

/** Result of the last run of a check. */
export interface CheckResult {
  readonly state: CheckState
  readonly message: string
  /** The check was green once. Its points stay. */
  readonly earned: boolean
}

export const checksOf = ({ checks }: Pick<TaskResultRow, 'checks'>) => checks as Record<string, CheckResult>

/** Returns the points of a task: those of the goals that were green, less the hints taken. */
export function earnedPoints(task: GuideTask, checks: Readonly<Record<string, CheckResult>>, hints: number): number {
  const earned = [...pointsOfChecks(task)].reduce((sum, [id, points]) => sum + (checks[id]?.earned ? points : 0), 0)
  const cost = (task.hints ?? []).slice(0, hints).reduce((sum, hint) => sum + hint.cost, 0)
  return Math.max(0, earned - cost)
}

export const isFinished = (state: TaskState | undefined): boolean => state === 'green' || state === 'solved'

export const resultsOf = async (db: Db, { run }: Pick<OwnGuide, 'run'>): Promise<ReadonlyMap<string, TaskResultRow>> =>
  new Map(
    run === null
      ? []
      : (await db.selectFrom('task_result').selectAll().where('run_id', '=', run.id).execute()).map((row) => [
          row.task,
          row,
        ]),
  )

/** Returns the guide as its learner sees it. Solutions, answers and further hints stay on the server. */
export async function viewOf(db: Db, own: OwnGuide): Promise<GuideRunView> {
  const { guide, texts, translation, languages, language, notes, run } = own
  const results = await resultsOf(db, own)
  const rows =
    run === null ? [] : await db.selectFrom('question_answer').selectAll().where('run_id', '=', run.id).execute()
  const answers = new Map(rows.map((row) => [row.question, row]))
  const variables = run === null ? {} : variablesOf(run)
  const fill = (nodes: readonly GuideNode[]) => fillVariables(nodes, variables)
  const translated = textsById(translation ?? { steps: [] })
  const titles = new Map(tasksOf(guide).map(({ id, title }) => [id, translated.tasks.get(id)?.title ?? title]))
  const steps = guide.steps.map((step) => ({
    id: step.id,
    title: translated.steps.get(step.id)?.title ?? step.title,
    optional: step.optional,
    isPrepared: isPrepared(own, step.id),
    note: fill(parseText(notes.get(step.id) ?? '', { file: '', guide, step: {} }).nodes),
    // The text of a step is shown once the learner has opened the guide, because it can contain variables.
    text: run === null ? [] : fill(translation?.texts[step.id] ?? texts[step.id] ?? []),
    isTranslated: translation === null || translation.texts[step.id] !== undefined,
    tasks: (step.tasks ?? []).map((task) =>
      taskView(guide, task, { results, titles, texts: translated.tasks.get(task.id), fill }),
    ),
    questions: (step.questions ?? []).map((question) =>
      questionView(inLanguage(question, translated.questions.get(question.id)), answers.get(question.id)),
    ),
  }))
  const points = steps
    .flatMap(({ tasks, questions }) => [...tasks, ...questions])
    .reduce((sum, each) => sum + each.points, 0)
  return {
    version: own.version.id,
    title: translation?.title ?? guide.title,
    summary: translation?.summary ?? guide.summary,
    language,
    languages: [...languages],
    minutes: guide.minutes,
    step: own.step,
    points,
    maximum: maximumOf(guide),
    steps,
  }
}

type ValueOf<T> = T extends ReadonlyMap<string, infer V> ? V : never

/** Returns true if the setup of the guide and of the step has run. */
function isPrepared({ guide, run }: OwnGuide, step: string): boolean {
  const needs = [
    ...((guide.setup ?? []).length > 0 || (guide.files ?? []).length > 0 ? [''] : []),
    ...((guide.steps.find(({ id }) => id === step)?.setup ?? []).length > 0 ? [step] : []),
  ]
  return needs.every((need) => run?.prepared.includes(need))
}

function taskView(
  guide: Guide,
  task: GuideTask,
  {
    results,
    titles,
    texts,
    fill,
  }: {
    readonly results: ReadonlyMap<string, TaskResultRow>
    /** Titles of all tasks, in the language of the learner. */
    readonly titles: ReadonlyMap<string, string>
    readonly texts: ValueOf<TextsById['tasks']> | undefined
    readonly fill: (nodes: readonly GuideNode[]) => GuideNode[]
  },
): GuideTaskView {
  const result = results.get(task.id)
  const checks = result === undefined ? {} : checksOf(result)
  const points = pointsOfChecks(task)
  const taken = result?.hints ?? 0
  const hints = task.hints ?? []
  return {
    id: task.id,
    title: titles.get(task.id)!,
    state: result?.state ?? 'open',
    points: result?.points ?? 0,
    maximum: pointsOfTask(task),
    checks: task.checks.map(({ id, title, kind }) => ({
      id,
      title: texts?.checks.find((each) => each.id === id)?.title ?? title,
      kind,
      state: checks[id]?.state ?? null,
      message: checks[id]?.message ?? '',
      points: points.get(id) ?? 0,
    })),
    hints: hints
      .slice(0, taken)
      .map(({ text }, index) =>
        fill(parseText(texts?.hints[index]?.text ?? text, { file: '', guide, step: {} }).nodes),
      ),
    nextHint: hints[taken]?.cost ?? null,
    canSolve: (task.solve ?? []).length > 0,
    needs: (task.needs ?? []).filter((id) => !isFinished(results.get(id)?.state)).map((id) => titles.get(id) ?? id),
  }
}

/** Returns a question in the language of the learner. A translation with fewer choices is not used. */
function inLanguage(question: GuideQuestion, texts: ValueOf<TextsById['questions']> | undefined): GuideQuestion {
  const { text, choices, explanation } = texts ?? {}
  return {
    ...question,
    text: text ?? question.text,
    choices: choices?.length === question.choices?.length ? (choices ?? question.choices) : question.choices,
    explanation: explanation ?? question.explanation,
  }
}

function questionView(question: GuideQuestion, answer: QuestionAnswerRow | undefined): GuideQuestionView {
  const { id, kind, text, choices = [], attempts, explanation } = question
  const attemptsLeft = attempts === undefined ? null : Math.max(0, attempts - (answer?.attempts ?? 0))
  const isOver = answer?.correct === true || attemptsLeft === 0
  return {
    id,
    kind,
    text,
    choices,
    points: answer?.points ?? 0,
    maximum: question.points,
    attemptsLeft,
    correct: answer?.correct ?? null,
    explanation: isOver ? (explanation ?? null) : null,
  }
}
