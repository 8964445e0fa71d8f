/** States of a check, a task and a question. */
export const CHECK_STATES = ['green', 'red', 'broken'] as const
export type CheckState = (typeof CHECK_STATES)[number]
export const TASK_STATES = ['open', 'red', 'green', 'broken', 'skipped', 'solved'] as const
export type TaskState = (typeof TASK_STATES)[number]

/** Formats of other products that are converted. */
export const IMPORT_FORMATS = [
  'killercoda',
  'katacoda',
  'instruqt-track',
  'instruqt-lab',
  'educates',
  'cloudlabs',
  'mslearn-markdown',
] as const

/** Path inside the folder of a guide, without `.`, `..` and folders of Git. */
export const GUIDE_PATH = /^(?!\/)(?!.*(?:^|\/)(?:\.\.?|\.[gG][iI][tT])(?:\/|$))[A-Za-z0-9._/-]+$/
export const GUIDE_PATH_MAX = 200

/** Maximum number of files of a guide, and of the bytes of each. */
export const GUIDE_FILES_MAX = 500
export const GUIDE_FILE_MAX = 5 * 1024 * 1024

/** Maximum size of an uploaded zip archive, in bytes. */
export const GUIDE_ZIP_MAX = 20 * 1024 * 1024

/** Maximum size of all guides of an organisation, in bytes. */
export const GUIDES_MAX = 200 * 1024 * 1024

/** Path of the pictures in the texts of a learner's guide. */
export const PICTURES = '/guideRun/picture'

/** Characters of a note of an instructor. */
export const NOTE_MAX = 2_000

/** Seconds between two clicks that run scripts. */
export const SECONDS_BETWEEN_CHECKS = 2

/** A learner without progress for so many minutes, or with so many red checks of a task, is stuck. */
export const STUCK_MINUTES = 10
export const STUCK_REDS = 3

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const pointsOf = (count: number): string => counted(count, 'point')

const FORMAT_NAMES: Readonly<Record<(typeof IMPORT_FORMATS)[number], string>> = {
  killercoda: 'Killercoda',
  katacoda: 'Katacoda',
  'instruqt-track': 'an Instruqt track',
  'instruqt-lab': 'an Instruqt lab',
  educates: 'Educates',
  cloudlabs: 'CloudLabs',
  'mslearn-markdown': 'Markdown',
}

export const GUIDE = {
  converted: (
    format: (typeof IMPORT_FORMATS)[number],
    { steps = 0, tasks = 0 }: Readonly<Record<string, number>>,
    notes: number,
  ): string =>
    `Converted from ${FORMAT_NAMES[format]}: ${counted(steps, 'step')}, ${counted(tasks, 'task')}. ${
      notes === 0 ? 'Everything was mapped.' : `Not mapped, or to check: ${counted(notes, 'place')}.`
    }`,
  uploaded: (title: string, number: number): string =>
    `${title}, version ${number}, was uploaded as a draft. Publish it, then attach it to a training.`,
  saved: (number: number): string => `Saved as version ${number}, a draft.`,
  isNewer: (number: number, by: string): string =>
    `${by} stored version ${number} meanwhile. Nothing was saved or lost: your text is still here.`,
  idTaken: (id: string): string => `There is another guide with the id ${id}. Choose another id in guide.yaml.`,
  sameFiles: (number: number): string => `These are the files of version ${number}. No new version was stored.`,
  full: `The guides of the organisation can take ${GUIDES_MAX / 1024 / 1024} MB together, and this one no longer fits.`,
  tooLarge: `The archive can take ${GUIDE_ZIP_MAX / 1024 / 1024} MB at most.`,
  refused: (count: number): string => `Not stored: ${count === 1 ? '1 fault' : `${count} faults`}.`,
  notBase64: 'The archive must be base64.',
  published: (title: string, number: number): string => `${title}, version ${number}, is published.`,
  retired: (title: string, number: number): string =>
    `${title}, version ${number}, is retired. Trainings that use it keep it.`,
  deleted: (title: string, number: number): string => `${title}, version ${number}, was deleted.`,
  isAttached: 'A training uses this version. Attach another one to it, or detach this one.',
  wasUsed: 'Learners have worked with this version, and their results need it. Retire it instead.',
  isBeingProven: 'This version is being proven. Try again when the machine of the proof is deleted.',
  isPublished: 'This version is published already.',
  isRetired: 'This version is retired. Upload it again to use it.',
  notPublished: 'This version is a draft. Publish it first.',
  attached: (title: string, number: number, training: string): string =>
    `Learners of ${training} now see ${title}, version ${number}, beside their machines.`,
  detached: (training: string): string => `${training} no longer has this guide. The results of learners are kept.`,
  notAttached: 'The training has no such guide.',
  stepHidden: (title: string): string =>
    `Learners no longer see ${title}. Its points do not count while it is hidden, and results are kept.`,
  stepShown: (title: string): string => `Learners see ${title} again, and its points count.`,
  noteSaved: (title: string): string => `The note is shown above ${title}.`,
  noteRemoved: (title: string): string => `The note above ${title} was removed.`,
  lastStep: 'One step of the guide must stay visible to every learner.',
  machineDeleted: (machine: string): string =>
    `${machine} was deleted. Its guide cannot be opened any more; the points are kept.`,
  noLanguage: 'The guide is not in this language.',
  none: (machine: string): string => `${machine} has no guide.`,
  notStarted: 'Open the guide first.',
  busy: 'A check of this machine is still running. Wait for its result.',
  noTask: 'The guide has no such task.',
  onlyHidden: (titles: readonly string[]): string =>
    `Learners of this training would see no step, because these are hidden: ${titles.join(', ')}. Show one of them first.`,
  noStep: 'The guide has no such step.',
  noPicture: 'The guide has no such picture.',
  noQuestion: 'The guide has no such question.',
  needs: (titles: readonly string[]): string => `First finish: ${titles.join('; ')}.`,
  green: (points: number): string => `Done. ${pointsOf(points)}.`,
  red: 'Not done yet.',
  broken: 'The check failed, which is not your fault. Your instructor can find out why.',
  timedOut: 'The check did not end in time.',
  noMoreHints: 'There are no more hints.',
  noSolution: 'This task has no solution.',
  solved: 'The task was solved for you. It gives no points.',
  solveFailed: 'The solution failed, which is not your fault. Your instructor can find out why.',
  setupFailed: 'The preparation of this step failed, which is not your fault. Try again, or tell your instructor.',
  skipped: 'Skipped. You can come back to the task.',
  isDone: 'This task is done.',
  correct: (points: number): string => `Correct. ${pointsOf(points)}.`,
  wrong: 'Not correct.',
  noMoreAttempts: 'There are no more attempts.',
  isAnswered: 'This question was answered correctly already.',
  notStartedBy: (email: string): string => `${email} has not started the guide.`,
  nothingTried: (email: string): string => `${email} has not tried a task yet.`,
  checkedAgain: (email: string, done: number, tried: number): string =>
    `${done} of the ${tried === 1 ? '1 task' : `${tried} tasks`} that ${email} has tried ${done === 1 ? 'is' : 'are'} done.`,
  solvedFor: (email: string): string => `The task was solved for ${email}. It gives no points.`,
  solveForFailed: 'The solution failed. The cell of the task shows what the script wrote.',
} as const
