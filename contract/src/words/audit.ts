/** The calls and happenings that leave audit rows, in plain words: somebody ... */
export const AUDIT_WORDS: Readonly<Record<string, string>> = {
  'session.login': 'signed in',
  'session.logout': 'signed out',
  'session.setPassword': 'set a password by invitation',
  'session.invitation': 'followed an invitation',
  'account.endSession': 'ended one of their sessions',
  'account.endSessions': 'ended their other sessions',
  'organisation.create': 'created an organisation',
  'organisation.remove': 'deleted an organisation',
  'organisation.changeProfile': 'changed an organisation’s profile',
  'organisation.changeSecurity': 'changed an organisation’s security',
  'user.create': 'created a user',
  'user.remove': 'deleted a user',
  'template.create': 'created a template',
  'template.remove': 'deleted a template',
  'template.assign': 'assigned a template',
  'template.unassign': 'took a template away',
  'machine.order': 'ordered machines',
  'machine.power': 'powered machines on or off',
  'machine.restart': 'restarted machines',
  'machine.removeTraining': 'removed a training',
  'image.capture': 'took a snapshot',
  'quota.increase': 'increased a quota',
  'schedule.create': 'planned a schedule, or changed an access window',
  'schedule.remove': 'removed a schedule',
  'port.open': 'opened a port',
  'port.close': 'closed a port',
  'remote.ticket': 'asked for browser access',
  'remote.open': 'opened a terminal, or a connection file',
  'remote.close': 'closed a terminal',
  'azureSandbox.create': 'created a sandbox',
  'azureSandbox.remove': 'deleted a sandbox',
  'azureSandbox.signIn': 'read their sign-in to Azure',
  'sandboxUser.create': 'created an Azure lab user',
  'sandboxUser.remove': 'deleted an Azure lab user',
  'awsSandbox.signIn': 'read their sign-in to AWS',
  'awsUser.create': 'created an AWS lab user',
  'awsUser.remove': 'deleted an AWS lab user',
  'home.contact': 'sent the Contact Us form',
  'ledger.add': 'added an invoice or a payment',
  'payment.order': 'began a payment',
  'payment.verify': 'completed a payment',
  'payment.webhook': 'told of a payment, as its provider',
  'payment.credit': 'credited a payment',
  'meter.clearLogs': 'deleted logs',
  'audit.export': 'exported the audit',
  'operator.superadmin': 'made a superadmin, or gave one a link',
  'operator.archiveAudit': 'archived old audit rows',
}

/** Says a call in plain words; one that is not known here by its name. */
export const auditWords = (call: string): string => AUDIT_WORDS[call] ?? call

const REFUSALS: Readonly<Record<string, string>> = {
  signedOut: 'wrong sign-in',
  forbidden: 'not allowed',
  notFound: 'not there',
  tooMany: 'too many attempts',
}

/** Says what came of a call. */
export const auditResult = (refused: string | null): string =>
  refused === null ? 'Done' : `Refused: ${REFUSALS[refused] ?? refused}`
