import { serverModule, reconciles } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { INVARIANTS } from './invariants.ts'
import { azureSandboxHandlers } from './sandbox-http.ts'
import { sandboxKind } from './sandbox-step.ts'
import { sandboxUserHandlers } from './user-http.ts'
import { azureUserKind } from './user-step.ts'
import { endExpiredAzureUsers, endExpiredSandboxes, SANDBOX_EXPIRED } from './wake.ts'
import { anyExpired } from '../end-lab-users.ts'
import { MINUTE } from '../../../reconcile/task.ts'
import type { Config } from '../../../config.ts'
import type { EntraMail } from '../../../worker/parts.ts'
import { type AzureLabs, azureLabsOf } from '../../../providers/azure-sandbox/connection.ts'
import type { ExpiringCredential } from '../../../providers/identity.ts'
import { instrumented } from '../../../telemetry/instrumented.ts'

declare module '../../../core/module.ts' {
  interface CallDependencies {
    readonly azure: Pick<Config['azure'], 'emulated' | 'portalUrl' | 'labDomain' | 'sandboxLimit'>
  }
}
declare module '../../../worker/parts.ts' {
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
      import('../../../providers/graph/diagnose.ts'),
      import('../../../providers/graph/expiring-credentials.ts'),
      import('../../../providers/graph/mail.ts'),
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
