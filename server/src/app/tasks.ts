import { sql } from 'kysely'
import { archiveAudit } from '../domain/audit/archive.ts'
import { signAuditHead } from '../domain/audit/head.ts'
import { sealAudit } from '../domain/audit/seal.ts'
import { measureMachines } from '../domain/lab/classroom/measure.ts'
import { stopIdle } from '../domain/lab/classroom/stop-idle.ts'
import { BUDGET_DUE, evaluateDueBudgets } from '../domain/money/budget/evaluate.ts'
import { alertQuotas } from '../domain/money/budget/quotas.ts'
import { evaluateDuePrepaidAccounts, PREPAID_DUE } from '../domain/money/credit/evaluate.ts'
import { applyPriceChanges, PRICE_CHANGE_DUE } from '../domain/money/price/apply.ts'
import { applyOverduePolicy } from '../domain/money/credit/overdue.ts'
import { importWaiting } from '../domain/money/cost/import.ts'
import { orphanKind } from '../domain/money/cost/orphan.ts'
import { recordExpiring } from '../domain/home/expiring.ts'
import { issueDueInvoices } from '../domain/money/invoice/run.ts'
import { issueDueVouchers } from '../domain/money/invoice/vouchers.ts'
import { stopOverQuota, QUOTA_USED_UP } from '../domain/lab/machine/stop-over-quota.ts'
import { storeDayTotals } from '../domain/home/day-totals.ts'
import { labImportKind } from '../domain/lab/import/step.ts'
import { machineKind } from '../domain/lab/machine/step.ts'
import { BILLING_STOP_DUE, stopForBilling } from '../domain/lab/machine/billing-rules.ts'
import { sweepIfDue } from '../domain/lab/machine/sweep.ts'
import { checkMachinesAnswer } from '../domain/lab/operation/answers.ts'
import { refundKind } from '../domain/money/payment/refund-step.ts'
import { paymentKind } from '../domain/money/payment/step.ts'
import { readSettlements } from '../domain/money/settlement/read.ts'
import { processDueMachines, ROSTER_DUE } from '../domain/lab/roster/due-machines.ts'
import { securityGroupKind } from '../domain/lab/port/security-group.ts'
import { abandonedRemoteSessions } from '../domain/lab/remote/ending.ts'
import { pinFirstKeys } from '../domain/lab/remote/first-keys.ts'
import { reclaimAwsAccounts } from '../domain/sandbox/aws/lease.ts'
import { removeOrphans } from '../domain/sandbox/aws/orphans.ts'
import { awsUserKind } from '../domain/sandbox/aws/step.ts'
import { endExpiredAwsUsers } from '../domain/sandbox/aws/wake.ts'
import { sandboxKind } from '../domain/sandbox/azure/sandbox-step.ts'
import { azureUserKind } from '../domain/sandbox/azure/user-step.ts'
import { endExpiredAzureUsers, endExpiredSandboxes, SANDBOX_EXPIRED } from '../domain/sandbox/azure/wake.ts'
import { anyExpired } from '../domain/sandbox/end-lab-users.ts'
import { WEBHOOKS_DUE, webhookDelivery } from '../domain/webhook/deliver.ts'
import { applyRetention } from '../domain/privacy/retention.ts'
import { eraseDuePersons } from '../domain/privacy/erase.ts'
import { sendDueReminders } from '../domain/money/reminder/remind.ts'
import { markReadyOrders } from '../domain/lab/order/mark-ready.ts'
import { SEAT_FREE, seatWaitingUsers } from '../domain/lab/registration/seat.ts'
import { startDueMachines } from '../domain/lab/ready/start.ts'
import { fireIfDue, SCHEDULE_DUE } from '../domain/lab/schedule/fire.ts'
import { readOffers } from '../domain/lab/template/read-offers.ts'
import { COURSE_DUE, readDueCourses } from '../domain/lab/lms/course-members.ts'
import { rotateKeys } from '../domain/lab/lms/keys.ts'
import { SCORE_DUE, sendDueScores } from '../domain/lab/lms/scores.ts'
import { recordActivity } from '../domain/money/waste/record-activity.ts'
import { type Reconciler, reconciler } from '../reconcile/loop.ts'
import type { Task } from '../reconcile/task.ts'
import { cleanUp } from '../worker/clean-up.ts'
import { recordCloudState, recordPartState } from '../worker/part-state.ts'
import type { Pace, WorkerDependencies } from '../worker/parts.ts'

const MINUTE = 60
const DAY = 24 * 60 * MINUTE

export const reconcilersOf = (parts: WorkerDependencies): readonly Reconciler[] => [
  reconciler(machineKind(parts)),
  reconciler(orphanKind(parts)),
  reconciler(securityGroupKind(parts)),
  ...ifPresent(parts.payments, (payments) => [reconciler(paymentKind(payments)), reconciler(refundKind(payments))]),
  ...ifPresent(parts.azureLabs, (labs) => [
    reconciler(azureUserKind({ ...parts, ...labs })),
    reconciler(sandboxKind({ ...parts, ...labs })),
  ]),
  reconciler(labImportKind(parts)),
  ...ifPresent(parts.aws, (aws) => [reconciler(awsUserKind({ ...parts, aws }))]),
]

/** Returns the background tasks. Their periods and limits are in seconds. */
export function tasksOf(parts: WorkerDependencies, pace: Pace): readonly Task[] {
  const { db, cloud } = parts
  const sweepMachines = (signal: AbortSignal) =>
    recordCloudState(db, () => sweepIfDue(db, cloud, pace.sweepIdle, signal))
  const stopMachinesWithoutQuota = () => db.transaction().execute(async (tx) => void (await stopOverQuota(tx)))
  const checkBudgets = () =>
    db.transaction().execute(async (tx) => {
      await evaluateDueBudgets(tx, parts.jobQueue)
      await evaluateDuePrepaidAccounts(tx, parts.jobQueue)
      await stopForBilling(tx)
    })
  return [
    // `isDue` is polled every second, because no notification is sent when the clock is stepped or a day ends.
    { name: 'run schedules', every: MINUTE, on: 'each', isDue: SCHEDULE_DUE, run: () => fireIfDue(db, MINUTE) },
    { name: 'start machines before ready times', every: 5, on: 'one', run: () => startDueMachines(db) },
    {
      name: 'stop machines without quota',
      every: MINUTE,
      on: 'each',
      wokenBy: 'machine',
      isDue: QUOTA_USED_UP,
      run: stopMachinesWithoutQuota,
    },
    {
      name: 'assign waiting learners',
      // A higher budget frees seats without making this task due.
      every: 5,
      on: 'each',
      isDue: SEAT_FREE,
      run: (signal) => seatWaitingUsers(db, { seal: parts.seal, jobs: parts.jobQueue }, signal),
    },
    {
      name: 'apply price changes',
      every: MINUTE,
      on: 'each',
      isDue: PRICE_CHANGE_DUE,
      run: (signal) => applyPriceChanges(db, signal),
    },
    {
      name: 'check budgets',
      every: MINUTE,
      on: 'each',
      isDue: sql`${BUDGET_DUE} or ${PREPAID_DUE} or ${BILLING_STOP_DUE}`,
      run: checkBudgets,
    },
    {
      name: 'update machines of rosters',
      every: MINUTE,
      on: 'each',
      isDue: ROSTER_DUE,
      limit: 5 * MINUTE,
      run: (signal) => processDueMachines(db, { seal: parts.seal, jobs: parts.jobQueue }, signal),
    },

    { name: 'compare machines with the provider', every: pace.sweepBusy, on: 'one', limit: 50, run: sweepMachines },
    { name: 'read VM sizes and image terms', every: 15, on: 'one', run: (signal) => readOffers(db, cloud, signal) },
    {
      name: 'check the mail server',
      every: 10,
      on: 'one',
      run: async () => recordPartState(db, 'mail', await parts.isMailUp()),
    },
    // An API process closes abandoned sessions only while it has open sessions itself.
    { name: 'close abandoned remote sessions', every: 30, on: 'one', run: abandonedRemoteSessions(db) },
    { name: 'stop idle machines', every: 5, on: 'one', run: () => stopIdle(db) },
    { name: 'store daily totals', every: 10 * MINUTE, on: 'one', run: () => storeDayTotals(db) },
    {
      name: 'seal the audit log',
      every: 3,
      on: 'one',
      run: (signal) => sealAudit(db, { signal, logMessage: parts.logMessage }),
    },
    {
      name: 'sign the audit log',
      every: 10 * MINUTE,
      on: 'one',
      run: () => signAuditHead(db, parts.auditKey, parts.logMessage),
    },
    ...ifPresent(parts.auditArchive, ({ withOwner, ...archive }): Task[] => [
      {
        name: 'archive the audit log',
        every: DAY,
        on: 'one',
        limit: 30 * MINUTE,
        async run(signal) {
          const done = await withOwner((owner) => archiveAudit(owner, { ...archive, key: parts.auditKey(), signal }))
          if (done !== null) parts.logMessage(done)
        },
      },
    ]),
    ...ifPresent(parts.withOwner, (withOwner): Task[] => [
      {
        name: 'erase personal data',
        every: MINUTE,
        on: 'one',
        limit: 30 * MINUTE,
        run: (signal) => eraseDuePersons(db, { withOwner, key: parts.auditKey, logMessage: parts.logMessage }, signal),
      },
    ]),
    {
      name: 'issue invoices',
      every: 10 * MINUTE,
      on: 'one',
      limit: 300,
      run: async (signal) => void (await issueDueInvoices(db, parts.jobQueue, signal)),
    },
    {
      name: 'issue vouchers',
      every: 10 * MINUTE,
      on: 'one',
      limit: 300,
      run: async (signal) => void (await issueDueVouchers(db, parts.jobQueue, signal)),
    },
    {
      name: 'send payment reminders',
      every: 10 * MINUTE,
      on: 'one',
      limit: 120,
      run: () => sendDueReminders(db, parts.jobQueue),
    },
    {
      name: 'apply the overdue policy',
      every: MINUTE,
      on: 'one',
      limit: 120,
      run: () => applyOverduePolicy(db, parts.jobQueue),
    },
    ...ifPresent(parts.payments, (payments): Task[] => [
      {
        name: 'read settlements',
        every: 60 * MINUTE,
        on: 'one',
        limit: 15 * MINUTE,
        run: (signal) => readSettlements(db, payments, signal),
      },
    ]),
    {
      name: 'send quota alerts',
      every: 30,
      on: 'one',
      run: () => db.transaction().execute((tx) => alertQuotas(tx, parts.jobQueue)),
    },
    { name: 'mark orders as ready', every: 5, on: 'one', run: () => markReadyOrders(db) },
    {
      name: 'send webhooks',
      every: MINUTE,
      on: 'each',
      isDue: WEBHOOKS_DUE,
      limit: 600,
      run: webhookDelivery(parts),
    },
    {
      name: 'import provider costs',
      every: 5,
      on: 'one',
      limit: 15 * MINUTE,
      run: (signal) => importWaiting(db, signal),
    },
    {
      name: 'read LMS courses',
      every: 30,
      on: 'each',
      isDue: COURSE_DUE,
      limit: 15 * MINUTE,
      run: readDueCourses(parts),
    },
    {
      name: 'send scores to LMSs',
      every: 60,
      on: 'each',
      isDue: SCORE_DUE,
      limit: 15 * MINUTE,
      run: sendDueScores(parts),
    },
    { name: 'rotate LMS keys', every: 60 * MINUTE, on: 'one', run: (signal) => rotateKeys(db, parts.seal, signal) },
    {
      name: 'apply retention periods',
      every: DAY,
      on: 'one',
      limit: 30 * MINUTE,
      run: (signal) => applyRetention(db, signal),
    },
    { name: 'delete expired records', every: 10 * MINUTE, on: 'one', run: () => cleanUp(db) },

    ...ifPresent(parts.metrics, (metrics): Task[] => [
      { name: 'read machine metrics', every: MINUTE, on: 'one', run: (signal) => measureMachines(db, metrics, signal) },
      { name: 'record machine activity', every: MINUTE, on: 'one', run: () => recordActivity(db) },
    ]),
    ...ifPresent(parts.findExpiring, (find): Task[] => [
      {
        name: 'check expiry of credentials',
        every: 6 * 60 * MINUTE,
        on: 'one',
        run: (signal) => recordExpiring(db, find, { signal, logMessage: parts.logMessage }),
      },
    ]),
    ...ifPresent(parts.backUp, (backUp): Task[] => [
      { name: 'back up the database', every: 10 * MINUTE, on: 'one', limit: 3_600, run: backUp },
    ]),
    ...ifPresent(parts.shells, (shells): Task[] => [
      { name: 'pin host keys', every: 5, on: 'one', run: (signal) => pinFirstKeys(db, shells, signal) },
    ]),
    ...ifPresent(parts.accessProbe, (accessProbe): Task[] => [
      {
        name: 'check machine access',
        every: 2,
        on: 'one',
        limit: 30,
        run: (signal) => checkMachinesAnswer(db, accessProbe, signal),
      },
    ]),
    ...ifPresent(parts.azureLabs, (): Task[] => [
      {
        name: 'end expired Azure users',
        every: MINUTE,
        on: 'each',
        wokenBy: 'azure_user',
        isDue: anyExpired('azure_user'),
        run: () => endExpiredAzureUsers(db),
      },
      {
        name: 'delete expired sandboxes',
        every: MINUTE,
        on: 'each',
        wokenBy: 'sandbox',
        isDue: SANDBOX_EXPIRED,
        run: () => endExpiredSandboxes(db),
      },
    ]),
    ...ifPresent(parts.aws, (aws): Task[] => [
      {
        name: 'end expired AWS users',
        every: MINUTE,
        on: 'each',
        wokenBy: 'aws_user',
        isDue: anyExpired('aws_user'),
        run: () => endExpiredAwsUsers(db),
      },
      { name: 'reclaim AWS accounts', every: 10, on: 'one', run: (signal) => reclaimAwsAccounts(db, aws, signal) },
      { name: 'delete AWS orphans', every: 10 * MINUTE, on: 'one', run: (signal) => removeOrphans(db, aws, signal) },
    ]),
  ]
}

const ifPresent = <Part, Row>(part: Part | null | undefined, rows: (part: Part) => readonly Row[]): readonly Row[] =>
  part === null || part === undefined ? [] : rows(part)
