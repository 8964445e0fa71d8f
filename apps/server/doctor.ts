import { connectAll, SERVER_MODULES } from '@trainyard/modules/server.ts'
import type { Config, Secrets } from '@trainyard/platform/server/config/config.ts'
import { connect } from '@trainyard/platform/server/db/client.ts'
import { awsChecks } from '@trainyard/sandbox-aws/server/doctor.ts'
import { azureNeeds } from '@trainyard/azure/server/azure-needs.ts'
import { azureChecks } from '@trainyard/azure/server/doctor.ts'
import { databaseChecks } from '@trainyard/platform/server/doctor/database.ts'
import type { Doctor } from '@trainyard/platform/server/doctor/doctor.ts'
import { temporaryDatabase } from '@trainyard/platform/server/doctor/temporary-database.ts'
import { emulatorCheck } from '@trainyard/platform/server/doctor/emulator.ts'
import { graphChecks, graphMailCheck } from '@trainyard/sandbox-azure/server/doctor.ts'
import { publicUrlChecks } from '@trainyard/platform/server/doctor/public-url.ts'
import { razorpayChecks } from '@trainyard/payments/server/doctor.ts'
import { readOnly } from '@trainyard/platform/server/doctor/settings.ts'
import { graphMail } from '@trainyard/sandbox-azure/server/mail.ts'
import { smtpCheck } from '@trainyard/platform/server/doctor/smtp.ts'
import { templateNeeds } from '@trainyard/machines/server/template-needs.ts'
import { egressFetch } from '@trainyard/platform/server/providers/egress.ts'
import { expiringCredentials } from '@trainyard/sandbox-azure/server/expiring-credentials.ts'
import { razorpayDiagnosis } from '@trainyard/payments/server/razorpay-diagnose.ts'
import { proofOf } from '@trainyard/platform/server/run/secrets/proof.ts'
import { makeSeal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { smtpOf } from './mail.ts'
import { awsConnectionOf } from '@trainyard/sandbox-aws/server/connection.ts'
import { addressOf } from '@trainyard/lxd/server/address.ts'
import { lxdClient } from '@trainyard/lxd/server/client.ts'
import { lxdChecks } from '@trainyard/lxd/server/doctor.ts'
import { azureConnectionOf } from '@trainyard/azure/server/connection.ts'

export async function doctorOf(config: Config, secrets: Secrets, { connections = 4 } = {}): Promise<Doctor> {
  connectAll()
  const [{ awsDiagnosis }, { azureMachines }, { azureDiagnosis }, { graphDiagnosis }, { smtpDiagnosis }] =
    await Promise.all([
      import('@trainyard/sandbox-aws/server/diagnose.ts'),
      import('@trainyard/azure/server/machines.ts'),
      import('@trainyard/azure/server/diagnose.ts'),
      import('@trainyard/sandbox-azure/server/graph-diagnose.ts'),
      import('@trainyard/platform/server/mail/smtp-diagnose.ts'),
    ])
  const seal = makeSeal(secrets.keys)
  const prove = (nonce: string) => proofOf(seal, secrets.proving, nonce)
  const embedded = temporaryDatabase(config)
  const db = connect({ connectionString: readOnly(secrets.databaseUrl) }, { size: connections, as: 'app' })
  const database = databaseChecks(db, () => embedded.start(), { keys: secrets.keys, lost: config.lostKeys })
  const publicUrl = publicUrlChecks({ publicUrl: config.http.publicUrl, prove })
  const emulator = emulatorCheck(config.emulator, config.production ? missingProviderSettings(config) : null)
  const azureSettings = await azureConnectionOf(config, secrets)
  const azure = azureChecks({
    diagnosis: azureDiagnosis(azureSettings),
    cloud: azureMachines(azureSettings),
    settings: config.azure,
    egress: config.remote.egress,
    templates: async () => (await templateNeeds(db, 'azure')).map(azureNeeds),
    readable: database.readable,
    needs: config.azure.emulated ? [emulator] : [],
  })
  const signIn = azure.filter(({ name }) => name === 'credentials and tenant')
  const diagnosis = graphDiagnosis(azureSettings)
  const { clientId } = config.azure
  const graph = graphChecks({
    diagnosis,
    clientId,
    proof: secrets.azureCredential,
    findExpiring: (signal) => expiringCredentials(diagnosis, clientId, secrets.azureCredential, signal),
    labDomain: config.azure.labDomain,
    needs: signIn,
  })
  const { lxd, payments } = config
  const lxdConnection = lxd === null ? null : lxdClient(await addressOf(lxd.at), lxd.project)
  const razorpay = razorpayChecks({
    diagnosis:
      payments === null
        ? null
        : razorpayDiagnosis({
            ...payments,
            keySecret: secrets.razorpayKeySecret,
            send: egressFetch(secrets.egressProxy),
          }),
    keyId: payments?.keyId ?? '',
    emulated: payments?.emulated === true,
    publicUrl: config.http.publicUrl,
    prove,
    reached: publicUrl.reached,
    needs: payments?.emulated === true ? [emulator] : [],
  })
  const connection = awsConnectionOf(config, secrets)
  const aws = awsChecks({
    diagnosis: connection === null ? null : awsDiagnosis(connection),
    settings: config.aws,
    needs: config.aws.emulated ? [emulator] : [],
  })
  const usesToken = config.mail.method === 'smtp-oauth2'
  const mail =
    config.mail.method === 'graph'
      ? graphMailCheck(diagnosis, { clientId, from: config.mail.from, needs: signIn })
      : smtpCheck(
          smtpDiagnosis(
            smtpOf(config, secrets, {
              credential: azureSettings.credential,
              mailFrom: (from) => graphMail({ ...azureSettings, from }),
            }),
          ),
          {
            host: new URL(secrets.smtpUrl).host,
            usesToken,
            needs: usesToken ? signIn : config.mail.emulated ? [emulator] : [],
          },
        )
  return {
    checks: [
      ...database.all,
      ...publicUrl.all,
      ...SERVER_MODULES.flatMap(({ checks }) => checks?.({ db, readable: database.readable }) ?? []),
      emulator,
      ...azure,
      ...lxdChecks({ lxd, client: lxdConnection }),
      ...graph,
      ...aws,
      ...razorpay,
      mail,
    ],
    secrets: secrets.texts,
    async close() {
      await db.destroy()
      await embedded.stop()
    },
  }
}

function missingProviderSettings({ azure, mail }: Config): string[] {
  const azureSettings =
    'AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET (or another credential)'
  return [...(azure.emulated ? [azureSettings] : []), ...(mail.emulated ? ['SMTP_URL'] : [])]
}
