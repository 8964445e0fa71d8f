import { sql } from 'kysely'
import { demoDataAdded } from '@trainyard/organisations/server/demo-data.ts'
import { learnerPoints } from '@trainyard/lti/server/scores.ts'
import { organisationsRemoved } from '@trainyard/organisations/server/remove.ts'
import { answer, on } from '@trainyard/platform/server/core/events.ts'
import { reconciles, serverModule } from '@trainyard/platform/server/core/module.ts'
import { guardedFetch } from '@trainyard/platform/server/providers/guarded-fetch.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { MINUTE } from '@trainyard/platform/server/run/reconcile/task.ts'
import { trainingsRemoved } from '@trainyard/trainings/server/existence.ts'
import { usersRenamed } from '@trainyard/users/server/address.ts'
import { guideEvents } from './contract/guide-event.ts'
import { addDemoGuide } from './server/demo-guide.ts'
import { guideHandlers } from './server/http.ts'
import type { Scripts } from './server/machine/script.ts'
import { sshScripts } from './server/machine/ssh-scripts.ts'
import { classHandlers } from './server/run/class.ts'
import { deleteOldAttempts } from './server/run/check.ts'
import { guideRunHandlers } from './server/run/http.ts'
import { servePictures } from './server/run/pictures.ts'
import { pointsOfLearners } from './server/run/points.ts'
import { moveRuns } from './server/run/own-run.ts'
import { proofHandlers } from './server/proof/http.ts'
import { PROOF_INVARIANTS } from './server/proof/invariants.ts'
import { proofKind } from './server/proof/kind.ts'
import { proveBeforeClasses } from './server/proof/nightly.ts'

declare module '@trainyard/platform/server/core/module.ts' {
  interface CallDependencies {
    readonly scripts: Scripts
    readonly fetchFromGit: ReturnType<typeof guardedFetch>
  }
}
declare module '@trainyard/platform/server/run/parts.ts' {
  interface WorkerDependencies {
    readonly scripts: Scripts
  }
}

export default serverModule({
  name: 'guides',
  requires: ['remote-access', 'lti'],
  connectCalls({ config, secrets, onClose }, { routes }) {
    const scripts = sshScripts(routes)
    onClose(() => scripts.close())
    const policy = { emulator: null, privateHosts: [], ...config.guides, egress: secrets.egressProxy }
    return { scripts, fetchFromGit: guardedFetch(policy) }
  },
  connectWorker: async (_from, { routes }) => ({ scripts: sshScripts(routes) }),
  calls: ({ scripts, seal, fetchFromGit, changes, secondFactor }) => ({
    guide: { ...guideHandlers(fetchFromGit), ...classHandlers({ scripts, seal }) },
    guideRun: guideRunHandlers({ scripts, seal }, { changes, secondFactor }),
    proof: proofHandlers,
  }),
  routes: servePictures,
  answers: [answer(learnerPoints, pointsOfLearners)],
  publishes: guideEvents,
  kinds: [reconciles('proof', proofKind)],
  tasks: ({ db }) => [
    {
      name: 'prove guides before classes',
      every: MINUTE,
      on: 'one',
      run: (signal) => proveBeforeClasses(db, signal),
    },
  ],
  listens: [
    on(demoDataAdded, async (tx, added) => {
      for (const { organisation } of added) await addDemoGuide(tx, organisation)
    }),
    on(organisationsRemoved, async (tx, organisations) => {
      await tx.deleteFrom('guide').where('organisation_id', 'in', organisations).execute()
      await tx.deleteFrom('guide_file').where('organisation_id', 'in', organisations).execute()
    }),
    on(usersRenamed, moveRuns),
    // The guide must not appear in a later training of the same name.
    on(trainingsRemoved, async (tx, trainings) => {
      await tx.deleteFrom('training_guide').where('training_id', 'in', trainings).execute()
      await tx.deleteFrom('training_guide_step').where('training_id', 'in', trainings).execute()
    }),
  ],
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    access: {
      guide_version: { updates: ['published_at', 'reason', 'retired_at'] },
    },
    personal: {
      guide: withoutOwner('slug'),
      guide_version: withoutOwner('hash content texts translations findings source', 'title made_by reason'),
      guide_file: withoutOwner('hash content'),
      guide_version_file: withoutOwner('path hash'),
      training_guide: withoutOwner('', 'attached_by'),
      training_guide_step: withoutOwner('step', 'note changed_by'),
      guide_language: {
        owner: { user: 'user_id' },
        title: 'Language of lab guides',
        erase: 'delete',
        other: 'language',
      },
      guide_run: {
        owner: { address: 'email' },
        title: 'Work with lab guides',
        erase: 'delete',
        mentions: 'email',
        other: 'variables step prepared',
      },
      task_result: {
        owner: { condition: ({ addresses }) => ofRuns(addresses) },
        title: 'Results of tasks',
        erase: 'delete',
        other: 'task state checks',
      },
      check_attempt: {
        owner: { condition: ({ addresses }) => ofRuns(addresses) },
        title: 'Checks of tasks',
        erase: 'delete',
        other: 'task script state',
        details: 'message error_output',
      },
      question_answer: {
        owner: { condition: ({ addresses }) => ofRuns(addresses) },
        title: 'Answers to questions of lab guides',
        erase: 'delete',
        other: 'question',
      },
      proof: withoutOwner(
        'template_name image image_id packages state phase variables step task',
        'asked_by reason last_error',
      ),
      proof_fault: withoutOwner('kind step task script message error_output'),
    },
    invariants: PROOF_INVARIANTS,
    expire: [deleteOldAttempts],
  },
})

const ofRuns = (addresses: readonly string[]) =>
  sql`run_id in (select id from guide_run where email = any(${addresses}::text[]))`
