import { accessPassContext } from './server/encryption-context.ts'
import { serverModule, reconciles } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner, QUEUE_COLUMNS } from '@trainyard/platform/server/core/tables.ts'
import { INVARIANTS } from './server/azure/invariants.ts'
import { azureSandboxHandlers } from './server/azure/sandbox-http.ts'
import { sandboxKind } from './server/azure/sandbox-step.ts'
import { sandboxUserHandlers } from './server/azure/user-http.ts'
import { azureUserKind } from './server/azure/user-step.ts'
import { endExpiredAzureUsers, endExpiredSandboxes, SANDBOX_EXPIRED } from './server/azure/wake.ts'
import { anyExpired } from '@trainyard/lab-users/server/end-lab-users.ts'
import { MINUTE } from '@trainyard/platform/server/run/reconcile/task.ts'
import type { Config } from '@trainyard/platform/server/config/config.ts'
import type { EntraMail } from '@trainyard/platform/server/run/parts.ts'
import { type AzureLabs, azureLabsOf } from './server/connection.ts'
import type { ExpiringCredential } from './server/identity-provider.ts'
import { instrumented } from '@trainyard/platform/server/run/telemetry/instrumented.ts'

declare module '@trainyard/platform/server/core/module.ts' {
  interface CallDependencies {
    readonly azure: Pick<Config['azure'], 'emulated' | 'portalUrl' | 'labDomain' | 'sandboxLimit'>
  }
}
declare module '@trainyard/platform/server/run/parts.ts' {
  interface WorkerDependencies {
    readonly azureLabs: AzureLabs | null
    /** Finds the secrets and certificates of the portal; omitted: they are not checked. */
    readonly findExpiring?: (signal: AbortSignal) => Promise<readonly ExpiringCredential[]>
  }
}

export default serverModule({
  name: 'sandbox-azure',
  connectCalls: ({ config }) => ({ azure: config.azure }),
  async connectWorker({ config, secrets, meters }, { azureConnection }) {
    const [{ graphDiagnosis }, { expiringCredentials }, { graphMail }] = await Promise.all([
      import('./server/graph-diagnose.ts'),
      import('./server/expiring-credentials.ts'),
      import('./server/mail.ts'),
    ])
    const labs = await azureLabsOf(azureConnection, config)
    const entra: EntraMail = {
      credential: azureConnection.credential,
      mailFrom: (from) => graphMail({ ...azureConnection, from }),
    }
    return {
      entra,
      azureLabs: {
        identity: instrumented('graph', labs.identity, meters),
        groups: instrumented('azure sandboxes', labs.groups, meters),
      },
      findExpiring: (signal) =>
        expiringCredentials(graphDiagnosis(azureConnection), config.azure.clientId, secrets.azureCredential, signal),
    }
  },
  calls: ({ seal, jobs, azure }) => ({
    azureSandbox: azureSandboxHandlers({ seal, ...azure }),
    sandboxUser: sandboxUserHandlers({ seal, jobs, labDomain: azure.labDomain }),
  }),
  tasks: ({ db, azureLabs }) =>
    azureLabs
      ? [
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
        ]
      : [],
  kinds: [
    reconciles('azure_user', (parts) => parts.azureLabs && azureUserKind({ ...parts, ...parts.azureLabs })),
    reconciles('sandbox', (parts) => parts.azureLabs && sandboxKind({ ...parts, ...parts.azureLabs })),
  ],
  tables: {
    access: {
      sandbox_charge: { writes: 'insert', generated: ['id'] },
      sandbox: {
        updates: [
          ...QUEUE_COLUMNS,
          'desired',
          'create_sent_at',
          'ours',
          'access',
          'ready_at',
          'metered_at',
          'blocked_at',
          'absent_at',
          'ended_at',
          'not_priced',
          'seen_at',
          'paise_per_hour',
        ],
      },
    },
    sealed: [
      { table: 'azure_user', column: 'first_password', key: 'id' },
      { table: 'azure_user', column: 'access_pass', key: 'id', context: accessPassContext },
    ],
    personal: {
      azure_user: {
        owner: { address: 'personal_email' },
        title: 'Lab users at Azure',
        erase: 'keep',
        mentions: 'email personal_email last_error',
        secrets: 'first_password access_pass',
        other: 'desired object_id',
      },
      sandbox: withoutOwner('provider group_name location desired access not_priced', 'last_error'),
      sandbox_charge: withoutOwner('', 'resources'),
    },
    invariants: INVARIANTS,
  },
})
