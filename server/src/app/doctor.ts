import { connectAll, SERVER_MODULES } from '../../../apps/modules/server.ts'
import type { Config, Secrets } from '../config.ts'
import { connect } from '../db/client.ts'
import { awsChecks } from '../doctor/aws.ts'
import { azureChecks } from '../doctor/azure.ts'
import { databaseChecks } from '../doctor/database.ts'
import type { Doctor } from '../doctor/doctor.ts'
import { temporaryDatabase } from '../doctor/temporary-database.ts'
import { emulatorCheck } from '../doctor/emulator.ts'
import { graphChecks, graphMailCheck } from '../doctor/graph.ts'
import { publicUrlChecks } from '../doctor/public-url.ts'
import { razorpayChecks } from '../doctor/razorpay.ts'
import { readOnly } from '../doctor/settings.ts'
import { graphMail } from '../providers/graph/mail.ts'
import { smtpCheck } from '../doctor/smtp.ts'
import { templateNeeds } from '../doctor/templates.ts'
import { egressFetch } from '../providers/egress.ts'
import { expiringCredentials } from '../providers/graph/expiring-credentials.ts'
import { razorpayDiagnosis } from '../providers/razorpay/diagnose.ts'
import { proofOf } from '../secrets/proof.ts'
import { makeSeal } from '../secrets/seal.ts'
import { smtpOf } from './mail.ts'
import { awsConnectionOf } from '../providers/aws/connection.ts'
import { azureConnectionOf } from '../providers/azure/connection.ts'

export async function doctorOf(config: Config, secrets: Secrets): Promise<Doctor> {
  connectAll()
  const [{ awsDiagnosis }, { azureCloud }, { azureDiagnosis }, { graphDiagnosis }, { smtpDiagnosis }] =
    await Promise.all([
      import('../providers/aws/diagnose.ts'),
      import('../providers/azure/cloud.ts'),
      import('../providers/azure/diagnose.ts'),
      import('../providers/graph/diagnose.ts'),
      import('../providers/smtp/diagnose.ts'),
    ])
  const seal = makeSeal(secrets.keys)
  const prove = (nonce: string) => proofOf(seal, secrets.proving, nonce)
  const embedded = temporaryDatabase(config)
  const db = connect({ connectionString: readOnly(secrets.databaseUrl) }, { size: 4, as: 'app' })
  const database = databaseChecks(db, () => embedded.start(), { keys: secrets.keys, lost: config.lostKeys })
  const publicUrl = publicUrlChecks({ publicUrl: config.http.publicUrl, prove })
  const emulator = emulatorCheck(config.emulator, config.production ? missingProviderSettings(config) : null)
  const azureSettings = await azureConnectionOf(config, secrets)
  const azure = azureChecks({
    diagnosis: azureDiagnosis(azureSettings),
    cloud: azureCloud(azureSettings),
    settings: config.azure,
    egress: config.remote.egress,
    templates: () => templateNeeds(db),
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
  const { payments } = config
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
