import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import * as limits from '@trainyard/platform/contract/limits.ts'
import {
  instant,
  machineName,
  organisationName,
  reasonOrElse,
  templateName,
  trainingRef,
} from '@trainyard/platform/contract/shapes.ts'
import { guideNode } from './guide-text.ts'
import { CHECK_STATES, GUIDE_ZIP_MAX, IMPORT_FORMATS, NOTE_MAX, TASK_STATES } from './guide-words.ts'
import { PROOF_PHASES, PROOF_STATES } from './proof-words.ts'

const admins = ['admin', 'superadmin'] as const

const slug = z
  .string()
  .min(1)
  .max(63)
  .meta({ examples: ['web-server'] })
const versionRef = z.strictObject({
  organization: organisationName.optional(),
  guide: slug,
  number: z
    .int()
    .min(1)
    .meta({ examples: [2] }),
})
const versionQuery = versionRef.extend({
  number: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be the number of a version')
    .meta({ examples: ['2'] }),
})
const finding = z.object({
  file: z.string().meta({ examples: ['guide.yaml'] }),
  /** Null: the whole file. */
  line: z
    .int()
    .nullable()
    .meta({ examples: [12] }),
  /** Field of YAML; empty for other files. */
  at: z.string().meta({ examples: ['steps.0.tasks.1.needs'] }),
  sentence: z.string().meta({ examples: ['There is no task unit.'] }),
  /** True: the guide is refused. */
  isError: z.boolean(),
})
/** Report about a guide of another product. */
const imported = z.object({
  format: z.enum(IMPORT_FORMATS),
  counts: z.record(z.string(), z.int()).meta({ examples: [{ steps: 3, tasks: 2 }] }),
  /** Parts that were not mapped, or how they were; at most the first 500. */
  notes: z.array(
    z.object({
      file: z.string().meta({ examples: ['step2/text.md'] }),
      line: z.int().nullable(),
      kind: z.string().meta({ examples: ['variable'] }),
      sentence: z.string().meta({ examples: ['{{TRAFFIC_SELECTOR}} is a value of the foreign portal.'] }),
    }),
  ),
})

/** The last result on a machine, or the proof that is running. */
const lastProof = z.object({
  state: z.enum(PROOF_STATES),
  /** True: the template or its image has changed since then. */
  isStale: z.boolean(),
  phase: z.enum(PROOF_PHASES),
  /** Number of the step that the proof has reached; 0 before the first. */
  step: z.int(),
  templateName,
  /** Time of its result, or of its start while it is running. */
  at: instant,
  /** Number of faults. */
  faults: z.int(),
})
export type LastProof = z.output<typeof lastProof>

const source = z.object({
  url: z.string().meta({ examples: ['https://git.example.com/labs/web-server.git'] }),
  /** Requested branch, tag or commit; null: the default branch. */
  ref: z.string().nullable(),
  folder: z.string().meta({ examples: ['guides/web-server'] }),
  /** Commit whose files the version has. */
  commit: z.string().meta({ examples: ['9fceb02d0ae598e95dc970b74767f19372d61af8'] }),
})

const version = z.object({
  number: z.int(),
  state: z.enum(['draft', 'published', 'retired']),
  title: z.string(),
  summary: z.string(),
  steps: z.int(),
  tasks: z.int(),
  points: z.int(),
  minutes: z.int(),
  content: z.array(
    z.object({
      step: z.string(),
      title: z.string(),
      tasks: z.array(z.object({ task: z.string(), title: z.string() })),
    }),
  ),
  /** Why it was published without a proof. */
  reason: z.string().nullable(),
  /** The last proof that found no fault and whose template has not changed since; null if there is none. */
  proven: z.object({ at: instant, templateName: z.string(), image: z.string() }).nullable(),
  /** Null: there was no proof. */
  proof: lastProof.nullable(),
  madeBy: z.string(),
  madeAt: instant,
  /** Repository that it was fetched from; null if it was uploaded. */
  source: source.nullable(),
  findings: z.array(finding),
})

const attached = z.object({
  trainingName: z.string(),
  guide: slug,
  number: z.int(),
  title: z.string(),
  /** Null for all templates that have no guide. */
  templateName: z.string().nullable(),
})

/** States if a guide of a training is proven on a template of its machines, as both are now. */
const proofOnTemplate = z.object({
  guide: slug,
  number: z.int(),
  title: z.string(),
  templateName,
  /** Null: not proven, or before the last change of the template or its image. */
  state: z.enum(PROOF_STATES).nullable(),
  /** Time of the result, or of the start while the proof is running. */
  at: instant.nullable(),
  faults: z.int(),
})
export type ProofOnTemplate = z.output<typeof proofOnTemplate>

const taskOfLearner = z.object({
  task: slug,
  state: z.enum(TASK_STATES),
  points: z.int().meta({ examples: [35] }),
  hints: z.int().meta({ examples: [1] }),
  /** Checks by the learner that were red. */
  reds: z.int().meta({ examples: [4] }),
  /** The first check that was not green the last time; null if all were, or none ran. */
  failed: z
    .object({
      title: z.string().meta({ examples: ['The unit is active'] }),
      message: z.string().meta({ examples: ['nginx does not run.'] }),
    })
    .nullable(),
  changedAt: instant,
})

const result = z.object({
  vmName: machineName,
  email: z.string().meta({ examples: ['asha@example.com'] }),
  learnerName: z.string().nullable(),
  guide: slug,
  number: z.int().meta({ examples: [2] }),
  /** False for work before a reset of the machine, or with a version that is no longer attached. */
  isCurrent: z.boolean(),
  /** The step that the learner opened last; null if the learner has not started. */
  step: z.string().nullable(),
  tasksDone: z.int().meta({ examples: [3] }),
  points: z.int().meta({ examples: [35] }),
  /** Checks that were red. */
  reds: z.int().meta({ examples: [4] }),
  /** The task with which the learner makes no progress; null on a machine that does not run. */
  stuck: z
    .object({ task: slug, minutes: z.int().meta({ examples: [12] }), reds: z.int().meta({ examples: [4] }) })
    .nullable(),
  /** When a check that must be red was green: the machine may fake results. */
  suspectAt: instant.nullable(),
  lastBroken: z
    .object({
      /** Empty for a setup. */
      task: z.string().meta({ examples: ['unit'] }),
      script: z.string().meta({ examples: ['answers'] }),
      /** Null after the time limit. */
      exitStatus: z.int().nullable(),
      message: z.string().meta({ examples: ['nginx does not run.'] }),
      errorOutput: z.string().meta({ examples: ['line 2: jq: command not found'] }),
      ranAt: instant,
    })
    .nullable(),
  /** Tasks that the learner has tried. Only of current work. */
  tasks: z.array(taskOfLearner),
})

const guideOfClass = z.object({
  guide: slug,
  number: z.int().meta({ examples: [2] }),
  title: z.string().meta({ examples: ['The unit is active'] }),
  maximum: z.int().meta({ examples: [10] }),
  steps: z.array(
    z.object({
      step: slug,
      title: z.string().meta({ examples: ['The unit is active'] }),
      /** Hidden from the learners of this training, without points. */
      isHidden: z.boolean(),
      /** Markdown above its text; empty if there is none. */
      note: z.string().meta({ examples: ['Use **port 8081** in this room.'] }),
      tasks: z.array(
        z.object({
          task: slug,
          title: z.string().meta({ examples: ['The unit is active'] }),
          maximum: z.int().meta({ examples: [10] }),
          canSolve: z.boolean(),
        }),
      ),
    }),
  ),
})

const stored = z.object({
  message: z.string().meta({
    examples: [
      'A web server with systemd, version 2, was uploaded as a draft. Publish it, then attach it to a training.',
    ],
  }),
  guide: slug,
  number: z.int().meta({ examples: [2] }),
  findings: z.array(finding),
  /** Null for a guide in our own format. */
  imported: imported.nullable(),
})
const refusal = z.object({
  findings: z.array(finding).optional(),
  /** Number of all errors, of which the findings can be a part. */
  errors: z
    .int()
    .optional()
    .meta({ examples: [1] }),
  imported: imported.optional(),
  /** The newest version, if it is newer than the edited one. */
  newest: z
    .int()
    .optional()
    .meta({ examples: [3] }),
})

const ofLearner = trainingRef.extend({ vmName: machineName })

/** Reading of a guide, which takes seconds. An author saves often. */
const READINGS = { ...limits.exports, name: 'guides', max: 600 }
const FETCHES = { ...limits.exports, name: 'guides-from-git' }
/** An author pauses at most this often. */
const PREVIEWS = { ...limits.searches, name: 'guide-previews', max: 60 }

const ARCHIVE_SIZE = { bytes: Math.ceil(GUIDE_ZIP_MAX / 3) * 4 + 4_096, values: 100 }
/** A zip archive in base64. Left out of the audit. */
const archive = z
  .string()
  .min(1, 'must not be empty')
  .max(Math.ceil(GUIDE_ZIP_MAX / 3) * 4, 'must be at most 20 MB')
  .meta({ examples: ['UEsDBBQAAAAIAA=='] })

export const guide = {
  list: call({
    route: 'GET /guides',
    for: admins,
    instructors: true,
    does: 'Lists the guides of an organisation with their last 10 versions, and the trainings that use them. Instructors name a training.',
    query: trainingRef.partial(),
    reply: z.object({
      guides: z.array(z.object({ guide: slug, versions: z.array(version) })),
      /** Proofs for the training, if the query names one. */
      attached: z.array(attached),
      /** Size of all guides of the organisation, and its limit, in bytes. */
      size: z.int(),
      sizeMax: z.int(),
    }),
  }),
  attached: call({
    route: 'GET /guides/attached',
    for: admins,
    instructors: true,
    does: 'Lists the guides that a training uses, and whether they are proven on the templates of its machines.',
    query: trainingRef,
    reply: z.object({ attached: z.array(attached), proofs: z.array(proofOnTemplate) }),
  }),
  results: call({
    route: 'GET /guides/results',
    for: admins,
    instructors: true,
    public: { scope: 'guide:result', operation: 'listGuideResults' },
    does: 'Returns the guides that a training uses, and the work of its learners with them, also of those who have not started.',
    query: trainingRef,
    reply: z.object({ guides: z.array(guideOfClass), results: z.array(result) }),
  }),
  check: call({
    route: 'POST /guides/check',
    for: admins,
    instructors: true,
    does: 'Runs again the checks of all tasks that a learner has tried, on the machine.',
    audit: "checked a learner's tasks of a guide",
    body: ofLearner,
  }),
  solve: call({
    route: 'POST /guides/solve',
    for: admins,
    instructors: true,
    does: 'Solves a task on the machine of a learner. The task then gives no points.',
    audit: 'solved a task of a guide for a learner',
    body: ofLearner.extend({ task: slug }),
  }),
  changeStep: call({
    route: 'POST /guides/step',
    for: admins,
    instructors: true,
    public: { scope: 'guide:write', operation: 'changeGuideStep' },
    does: 'Hides a step of a guide from the learners of a training, or shows it, or sets the note above its text. What is left out stays. Points of a hidden step do not count; results are kept.',
    audit: 'changed a step of a guide for a training',
    body: trainingRef.extend({
      guide: slug,
      step: slug,
      isHidden: z.boolean().optional(),
      /** Markdown; empty to remove it. */
      note: z
        .string()
        .max(NOTE_MAX, `must be at most ${NOTE_MAX} characters long`)
        .optional()
        .meta({ examples: ['Use **port 8081** in this room.'] }),
    }),
  }),
  read: call({
    route: 'GET /guides/version',
    for: admins,
    does: 'Returns a version of a guide: its texts, its files and what its author should know.',
    query: versionQuery,
    reply: version.extend({
      contents: z.array(z.object({ step: z.string(), title: z.string(), text: z.array(guideNode) })),
      files: z.array(z.object({ path: z.string(), bytes: z.int() })),
    }),
  }),
  files: call({
    route: 'GET /guides/files',
    for: admins,
    does: 'Returns the files of a version of a guide.',
    query: versionQuery,
    reply: z.object({
      title: z.string(),
      /** Number of the newest version of the guide. */
      newest: z.int(),
      files: z.array(
        z.object({
          path: z.string(),
          /** In base64. */
          bytes: z.string(),
        }),
      ),
    }),
  }),
  upload: call({
    route: 'POST /guides',
    for: admins,
    public: { scope: 'guide:write', operation: 'uploadGuide' },
    does: 'Stores the zip archive of a guide as a new version, a draft. A guide of Killercoda, Katacoda, Instruqt, Educates or CloudLabs is converted. One with errors is refused with all of them.',
    audit: 'uploaded a guide',
    limit: READINGS,
    size: ARCHIVE_SIZE,
    body: z.strictObject({
      organization: organisationName.optional(),
      bytes: archive,
      /** Left out for files that were not edited in the portal. */
      edited: z
        .strictObject({
          /** Guide whose files were edited; null for a new one. */
          guide: slug.nullable(),
          /** Its newest version that the author knows. The archive is refused if there is a newer one. */
          newest: z
            .int()
            .min(0)
            .meta({ examples: [2] }),
          /** Draft of the same author that is deleted, unless it was proven, published or used. */
          replaces: z
            .int()
            .min(1)
            .optional()
            .meta({ examples: [2] }),
        })
        .optional(),
    }),
    reply: stored,
    refusal,
  }),
  preview: call({
    route: 'POST /guides/preview',
    for: admins,
    kind: 'read',
    does: 'Returns a text of a guide as learners see it, and what is wrong with the guide.',
    limit: PREVIEWS,
    size: ARCHIVE_SIZE,
    body: z.strictObject({
      organization: organisationName.optional(),
      /** Of files that are no text, the beginning is enough. */
      bytes: archive,
      /** Path of the text. */
      shown: z
        .string()
        .max(200)
        .meta({ examples: ['steps/1-nginx.md'] }),
    }),
    reply: z.object({
      /** Null if there is no such Markdown file. */
      text: z.array(guideNode).nullable(),
      findings: z.array(finding),
      /** Number of all findings, of which the list can be the beginning. */
      total: z.int(),
    }),
  }),
  fetch: call({
    route: 'POST /guides/git',
    for: admins,
    public: { scope: 'guide:write', operation: 'fetchGuide' },
    does: 'Fetches a guide from a public Git repository over https and stores it as a new version, a draft, like an upload. The version keeps the commit.',
    audit: 'fetched a guide from Git',
    limit: FETCHES,
    body: z.strictObject({
      organization: organisationName.optional(),
      url: z
        .string()
        .refine((url) => url !== '', 'Enter the address of the repository.')
        .max(500)
        .regex(/^https?:\/\/[^\s?#@]+$/, 'must be the https address of a public repository')
        .meta({ examples: ['https://git.example.com/labs/web-server.git'] }),
      /** Branch, tag or commit. Default: the default branch. */
      ref: z
        .string()
        .regex(/^(?![-/.])[\w./-]{1,200}$/, 'must be a branch, a tag or a commit')
        .optional()
        .meta({ examples: ['main'] }),
      /** Folder of the guide. Default: the whole repository. */
      folder: z
        .string()
        .regex(/^(?!\/)(?!.*(?:^|\/)\.\.?(?:\/|$))[\w. /-]{1,200}$/, 'must be a folder of the repository')
        .optional()
        .meta({ examples: ['guides/web-server'] }),
    }),
    reply: stored.extend({ source }),
    refusal,
  }),
  publish: call({
    route: 'POST /guides/publish',
    for: admins,
    public: { scope: 'guide:write', operation: 'publishGuide' },
    does: 'Publishes a version, so that trainings can use it. A version that is not proven needs a reason.',
    audit: 'published a guide',
    body: versionRef.extend({ reason: reasonOrElse('Enter a reason.').optional() }),
  }),
  retire: call({
    route: 'POST /guides/retire',
    for: admins,
    does: 'Retires a version. Trainings that use it keep it; no further training can use it.',
    audit: 'retired a guide',
    body: versionRef,
  }),
  delete: call({
    route: 'DELETE /guides/version',
    for: admins,
    public: { scope: 'guide:write', operation: 'deleteGuideVersion' },
    does: 'Deletes a version with its proofs. It must be attached to no training, and no learner may have opened it.',
    audit: 'deleted a version of a guide',
    query: versionQuery,
  }),
  attach: call({
    route: 'POST /guides/attach',
    for: admins,
    instructors: true,
    does: 'Shows a published version beside the machines of a training, of one template or of all. It takes the place of the former one.',
    audit: 'attached a guide to a training',
    body: trainingRef.extend({ guide: slug, number: z.int().min(1), templateName: templateName.nullable() }),
  }),
  detach: call({
    route: 'POST /guides/detach',
    for: admins,
    instructors: true,
    does: 'Removes the guide of a training, of one template or of all.',
    audit: 'removed a guide from a training',
    body: trainingRef.extend({ templateName: templateName.nullable() }),
  }),
}

export type GuideSource = z.output<typeof source>
export type GuideResult = z.output<typeof result>
export type GuideOfClass = z.output<typeof guideOfClass>

const checkResult = z.object({
  id: z.string(),
  title: z.string(),
  kind: z.enum(['goal', 'guard']),
  /** Null if the check has not run. */
  state: z.enum(CHECK_STATES).nullable(),
  message: z.string(),
  points: z.int(),
})
const task = z.object({
  id: z.string(),
  title: z.string(),
  state: z.enum(TASK_STATES),
  points: z.int(),
  maximum: z.int(),
  checks: z.array(checkResult),
  /** Hints that the learner has taken. */
  hints: z.array(z.array(guideNode)),
  /** Points that the next hint costs; null if there is none. */
  nextHint: z.int().nullable(),
  canSolve: z.boolean(),
  /** Titles of tasks to be finished first. */
  needs: z.array(z.string()),
})
const question = z.object({
  id: z.string(),
  kind: z.enum(['one', 'many', 'text', 'number']),
  text: z.string(),
  choices: z.array(z.string()),
  points: z.int(),
  maximum: z.int(),
  attemptsLeft: z.int().nullable(),
  /** Null if it was not answered. */
  correct: z.boolean().nullable(),
  /** Shown once no attempt is left or the answer is correct. */
  explanation: z.string().nullable(),
})
const run = z.object({
  /** ID of the version, which the addresses of its pictures contain. */
  version: z.string(),
  title: z.string(),
  summary: z.string(),
  /** Language that is shown, and all in which the guide has texts. */
  language: z.string(),
  languages: z.array(z.string()),
  minutes: z.int(),
  /** Null until the learner opens the guide. */
  step: z.string().nullable(),
  points: z.int(),
  maximum: z.int(),
  steps: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      optional: z.boolean(),
      isPrepared: z.boolean(),
      /** False: the text is in the guide's own language, because it is not translated. */
      isTranslated: z.boolean(),
      /** Note of the instructors; empty if there is none. */
      note: z.array(guideNode),
      text: z.array(guideNode),
      tasks: z.array(task),
      questions: z.array(question),
    }),
  ),
})
export type GuideRunView = z.output<typeof run>
export type GuideTaskView = z.output<typeof task>
export type GuideQuestionView = z.output<typeof question>

const learners = ['user', 'admin'] as const
const ofMachine = z.strictObject({ vmName: machineName })
const ofTask = ofMachine.extend({ task: z.string().min(1).max(63) })
const changed = z.object({ message: z.string(), run })

/** Calls of the learner of a machine. */
export const guideRun = {
  show: call({
    route: 'GET /guideRun',
    for: learners,
    does: "Returns the guide of the caller's machine with the caller's results, or null.",
    query: ofMachine,
    reply: z.object({ run: run.nullable() }),
  }),
  watch: call({
    route: 'GET /guideRun/events',
    for: learners,
    does: "Streams a mark of the steps of the guide of the caller's machine, which differs after each change by an instructor.",
    query: ofMachine,
    reply: z.object({ mark: z.string() }),
    kind: 'stream',
  }),
  open: call({
    route: 'POST /guideRun/step',
    for: learners,
    does: 'Opens a step of the guide. The first time it prepares the machine for the step.',
    audit: 'opened a step of a guide',
    body: ofMachine.extend({ step: z.string().min(1).max(63).nullable() }),
    reply: changed,
  }),
  chooseLanguage: call({
    route: 'POST /guideRun/language',
    for: learners,
    does: 'Chooses the language in which the caller reads guides that have it.',
    audit: 'chose the language of guides',
    body: ofMachine.extend({ language: z.string().min(2).max(20) }),
    reply: changed,
  }),
  check: call({
    route: 'POST /guideRun/check',
    for: learners,
    does: 'Runs the checks of a task on the machine.',
    audit: 'checked a task of a guide',
    body: ofTask,
    reply: changed,
  }),
  hint: call({
    route: 'POST /guideRun/hint',
    for: learners,
    does: 'Takes the next hint of a task, for its cost.',
    audit: 'took a hint of a guide',
    body: ofTask,
    reply: changed,
  }),
  solve: call({
    route: 'POST /guideRun/solve',
    for: learners,
    does: 'Solves a task on the machine. The task then gives no points.',
    audit: 'let a task of a guide be solved',
    body: ofTask,
    reply: changed,
  }),
  skip: call({
    route: 'POST /guideRun/skip',
    for: learners,
    does: 'Marks a task as skipped.',
    audit: 'skipped a task of a guide',
    body: ofTask,
    reply: changed,
  }),
  answer: call({
    route: 'POST /guideRun/answer',
    for: learners,
    does: 'Answers a question: with the numbers of choices counted from 0, or with a text.',
    audit: 'answered a question of a guide',
    body: ofMachine.extend({
      question: z.string().min(1).max(63),
      answer: z.union([z.array(z.int().min(0).max(9)).max(10), z.string().max(200)]),
    }),
    reply: changed,
  }),
}

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    guide: typeof guide
    guideRun: typeof guideRun
  }
}
