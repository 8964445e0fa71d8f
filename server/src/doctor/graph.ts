import type { DirectoryDiagnosis } from '../providers/identity.ts'
import { UNANSWERED } from './azure.ts'
import { type Check, green, greenUnless, notUsed, red } from './check.ts'
import { expiryProblems } from './corporate.ts'
import { namesOf } from './templates.ts'

export interface GraphOptions {
  readonly diagnosis: DirectoryDiagnosis
  readonly clientId: string
  readonly clientSecret: string
  readonly labDomain: string | null
  readonly needs: readonly Check[]
}

const WANTED = ['User.ReadWrite.All', 'User.DeleteRestore.All', 'User.RevokeSessions.All']

export function graphChecks({ diagnosis, clientId, clientSecret, labDomain, needs }: GraphOptions): Check[] {
  const group = 'Graph'
  const unused = notUsed('AZURE_LAB_DOMAIN is not set: there are no Azure lab users.')
  return [
    {
      group,
      name: 'permissions',
      needs,
      otherwise: 'Grant the app registration Application.Read.All in Microsoft Graph. Only the doctor needs it.',
      unanswered: UNANSWERED,
      async run(signal) {
        if (labDomain === null) return unused
        const granted = await diagnosis.granted(clientId, signal)
        const problems = WANTED.filter((permission) => !granted.includes(permission)).map((permission) => ({
          what: `The app registration was not granted ${permission}.`,
          todo: 'Add it as an application permission of Microsoft Graph (App registrations, API permissions), and grant admin consent.',
        }))
        return greenUnless(problems, `${WANTED.join(', ')}.`)
      },
    },
    {
      group,
      name: 'verified domain',
      needs,
      otherwise: 'Grant the app registration Organization.Read.All in Microsoft Graph. Only the doctor needs it.',
      unanswered: UNANSWERED,
      async run(signal) {
        if (labDomain === null) return unused
        const domains = await diagnosis.verifiedDomains(signal)
        const found = domains.find(({ name }) => name === labDomain)
        if (found === undefined) {
          return red(
            `${labDomain} is not a verified domain of the directory. Verified domains: ${namesOf(domains.map(({ name }) => name))}.`,
            'Add and verify it (Entra, Custom domain names), or set AZURE_LAB_DOMAIN to a verified domain.',
          )
        }
        if (found.federated) {
          return red(
            `${labDomain} is federated: another identity provider signs in its users and does not know lab users.`,
            'Set AZURE_LAB_DOMAIN to a managed domain, such as the onmicrosoft.com domain of the directory or a subdomain that you verify and keep managed.',
          )
        }
        return green(`${labDomain}.`)
      },
    },
    {
      group,
      name: 'secret',
      needs,
      otherwise: 'Grant the app registration Application.Read.All in Microsoft Graph. Only the doctor needs it.',
      unanswered: UNANSWERED,
      async run(signal) {
        const all = await diagnosis.credentials(clientId, signal)
        const secrets = all.filter(({ kind }) => kind === 'secret')
        // Entra shows the first three characters of each secret.
        const used = secrets.filter(({ hint }) => hint !== null && clientSecret.startsWith(hint))
        const checked = used.length > 0 ? used : secrets
        const named = checked.map(({ name, endsAt }) => ({ what: `The client secret ${name}`.trim(), endsAt }))
        return greenUnless(
          expiryProblems(named, new Date()),
          `${checked.length} of ${all.length} credentials checked, valid for at least 30 days.`,
        )
      },
    },
  ]
}
