import type { DirectoryDiagnosis } from '../providers/identity.ts'
import { UNANSWERED } from './azure.ts'
import { type Check, green, greenUnless, notUsed, red } from './check.ts'
import { namesOf } from './templates.ts'

export interface GraphOptions {
  readonly diagnosis: DirectoryDiagnosis
  readonly clientId: string
  readonly labDomain: string | null
  readonly needs: readonly Check[]
}

const WANTED = ['User.ReadWrite.All', 'User.DeleteRestore.All']

export function graphChecks({ diagnosis, clientId, labDomain, needs }: GraphOptions): Check[] {
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
        return domains.includes(labDomain)
          ? green(`${labDomain}.`)
          : red(
              `${labDomain} is not a verified domain of the directory. Verified domains: ${namesOf(domains)}.`,
              'Add and verify it (Entra, Custom domain names), or set AZURE_LAB_DOMAIN to a verified domain.',
            )
      },
    },
  ]
}
