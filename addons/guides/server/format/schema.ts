import { z } from 'zod'
import { GUIDE_FILE_MAX, GUIDE_FILES_MAX, GUIDE_PATH, GUIDE_PATH_MAX } from '../../contract/guide-words.ts'

/** Limits of the files of a guide, in bytes and characters. */
export const GUIDE_LIMITS = {
  bytes: 20 * 1024 * 1024,
  files: GUIDE_FILES_MAX,
  file: GUIDE_FILE_MAX,
  markdown: 256 * 1024,
  /** Texts of all steps together, because the time to parse them grows with their size. */
  texts: 512 * 1024,
  translations: 1024 * 1024,
  yaml: 256 * 1024,
  script: 64 * 1024,
  line: 10_000,
} as const

export const text = (max: number) =>
  z.string().min(1, 'must not be empty').max(max, `must be at most ${max} characters long`)
const slug = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
    'must be 1 to 63 small letters, digits and hyphens, and begin and end with a letter or digit',
  )
/** Path inside the folder of the guide. */
export const guidePath = z
  .string()
  .min(1)
  .max(GUIDE_PATH_MAX, `must be at most ${GUIDE_PATH_MAX} characters long`)
  .regex(
    GUIDE_PATH,
    'must be a path inside the guide with letters, digits, dots, hyphens, underscores and slashes, without the parts . and ..',
  )
/** Browsers throw an error for the name of an invalid language tag, such as en-utf8. */
function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
export const language = z
  .string()
  .refine(
    (tag) => tag.length <= 20 && /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(tag) && isLanguage(tag),
    'must be a language such as en or pt-BR',
  )
const variableName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/, 'must be 1 to 40 small letters, digits and underscores, beginning with a letter')
const points = z.int().min(0).max(100)
const list = <T extends z.ZodType>(of: T, max: number, min = 0) => z.array(of).min(min).max(max)
const isUnique = (values: readonly unknown[]) => new Set(values).size === values.length
const unique = <T extends z.ZodType>(of: T, max: number) => list(of, max).refine(isUnique, 'must not repeat a value')

const scriptFields = (longest: number) => ({
  run: guidePath,
  args: list(text(200), 10).optional(),
  /** Default: the first machine. */
  machine: slug.optional(),
  as: z.enum(['root', 'learner']).default('root'),
  /** Seconds. */
  timeout: z.int().min(1).max(longest, `must be at most ${longest} seconds`).optional(),
})
const scripts = (longest: number) => list(z.strictObject(scriptFields(longest)), 10)
export type GuideScript = z.output<ReturnType<typeof scripts>>[number]

const check = z.strictObject({
  ...scriptFields(60),
  id: slug,
  title: text(120),
  /** A goal is red before the solve and green after it. A guard is green before and after, and has no points. */
  kind: z.enum(['goal', 'guard']).default('goal'),
  points: points.optional(),
  /** Shown if the check is red and prints nothing. */
  message: text(300).optional(),
  /** For a state that needs seconds to settle. */
  retry: z.strictObject({ times: z.int().min(1).max(10), every: z.int().min(1).max(10) }).optional(),
  after_reboot: z.boolean().default(false),
  /** `loose`: every exit status from 1 to 123 is red. For imported checks. */
  exit: z.enum(['strict', 'loose']).default('strict'),
})
export type GuideCheck = z.output<typeof check>

const task = z.strictObject({
  id: slug,
  title: text(120),
  points: points.optional(),
  needs: list(slug, 10).optional(),
  checks: list(check, 10, 1).refine(
    (checks) => checks.some(({ kind }) => kind === 'goal'),
    'must contain a check of the kind goal',
  ),
  hints: list(z.strictObject({ text: text(1000), cost: points.default(0) }), 5).optional(),
  solve: scripts(300).optional(),
})
export type GuideTask = z.output<typeof task>

const question = z.strictObject({
  id: slug,
  kind: z.enum(['one', 'many', 'text', 'number']),
  text: text(500),
  choices: list(text(200), 10, 2).optional(),
  answer: z.union([z.number(), z.string().max(200), list(z.int().min(0), 10, 1), list(text(200), 10, 1)]),
  tolerance: z.number().min(0).optional(),
  points: points.default(1),
  attempts: z.int().min(1).max(10).optional(),
  explanation: text(500).optional(),
})
export type GuideQuestion = z.output<typeof question>

const step = z.strictObject({
  id: slug,
  title: text(100),
  text: guidePath,
  minutes: z.int().min(0).max(240).optional(),
  /** The points of the step are not part of the maximum. */
  optional: z.boolean().default(false),
  when: z.strictObject({ variable: variableName, is: list(text(100), 10, 1) }).optional(),
  setup: scripts(600).optional(),
  tasks: list(task, 10).optional(),
  questions: list(question, 10).optional(),
})
export type GuideStep = z.output<typeof step>

const variable = z
  .strictObject({
    name: variableName,
    value: z.string().max(500).optional(),
    random: z.enum(['hex', 'word', 'number']).optional(),
    length: z.int().min(2).max(32).optional(),
    ask: text(200).optional(),
    pattern: z.string().max(200).optional(),
  })
  .refine(
    ({ value, random, ask }) => [value, random, ask].filter((each) => each !== undefined).length === 1,
    'must have exactly one of value, random and ask',
  )

/** The file guide.yaml, format 1. */
export const guideSchema = z.strictObject({
  format: z.literal(1),
  id: slug,
  title: text(100),
  summary: text(300),
  language,
  languages: unique(language, 20).optional(),
  level: z.enum(['basic', 'intermediate', 'advanced']).optional(),
  minutes: z.int().min(1).max(600),
  tags: unique(slug, 10).optional(),
  licence: z.string().max(60).optional(),
  machines: list(
    z.strictObject({ name: slug, os: z.enum(['linux', 'windows']), template: text(100).optional() }),
    8,
    1,
  ),
  variables: list(variable, 30).optional(),
  files: list(
    z.strictObject({
      from: guidePath,
      to: z.string().regex(/^(?:\/|~\/).{1,250}$/, 'must be an absolute path, or one that begins with ~/'),
      machine: slug.optional(),
      mode: z
        .string()
        .regex(/^0?[0-7]{3,4}$/, "must be a mode such as '0644', in quotes")
        .optional(),
      owner: z
        .string()
        .regex(/^[a-z_][a-z0-9_-]{0,31}(?::[a-z_][a-z0-9_-]{0,31})?$/, 'must be an account, or account:group')
        .optional(),
    }),
    50,
  ).optional(),
  setup: scripts(1800).optional(),
  /** Percent. */
  score: z.strictObject({ pass: z.int().min(1).max(100).optional() }).optional(),
  steps: list(step, 60, 1),
})
export type Guide = z.output<typeof guideSchema>

/** Default time limits of scripts, in seconds. */
export const TIMEOUTS = { check: 10, solve: 60, stepSetup: 120, setup: 180 } as const

/** Longest time that the scripts of one click may take together, in seconds. */
export const CLICK_SECONDS = 300

export const tasksOf = (guide: Guide): readonly GuideTask[] => guide.steps.flatMap(({ tasks = [] }) => tasks)

/** Returns the points of each goal check. Points of the task that cannot be divided evenly belong to the first check. */
export function pointsOfChecks({ points: whole, checks }: GuideTask): ReadonlyMap<string, number> {
  const goals = checks.filter(({ kind }) => kind === 'goal')
  const total = whole ?? 1
  const share = Math.floor(total / goals.length)
  return new Map(
    goals.map(({ id, points: own }, index) => [id, own ?? (index === 0 ? total - share * (goals.length - 1) : share)]),
  )
}

export const pointsOfTask = (of: GuideTask): number =>
  [...pointsOfChecks(of).values()].reduce((sum, each) => sum + each, 0)

/** Returns the maximum score, to which optional steps do not add. */
export const maximumOf = ({ steps }: Pick<Guide, 'steps'>): number =>
  steps
    .filter(({ optional }) => !optional)
    .flatMap(({ tasks = [], questions = [] }) => [...tasks.map(pointsOfTask), ...questions.map(({ points }) => points)])
    .reduce((sum, points) => sum + points, 0)
