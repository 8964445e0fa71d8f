import type { DirectoryDiagnosis, ExpiringCredential } from './identity-provider.ts'
import { UNANSWERED } from '@trainyard/azure/server/doctor.ts'
import { type Check, green, greenUnless, notUsed, red } from '@trainyard/platform/server/doctor/check.ts'
import { expiryProblems } from '@trainyard/azure/server/corporate.ts'
import { namesOf } from '@trainyard/machines/server/template-needs.ts'

export interface GraphOptions {
  readonly diagnosis: DirectoryDiagnosis
  readonly clientId: string
  readonly proof: { readonly kind: 'secret' | 'certificate' | 'federated' | 'managed' }
  /** Finds the secret or certificate that the portal signs in with. */
  readonly findExpiring: (signal: AbortSignal) => Promise<readonly ExpiringCredential[]>
  readonly labDomain: string | null
  readonly needs: readonly Check[]
}

const WANTED = ['User.ReadWrite.All', 'User.DeleteRestore.All', 'User.RevokeSessions.All']

export function graphChecks({ diagnosis, clientId, proof, findExpiring, labDomain, needs }: GraphOptions): Check[] {
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
      name: 'secret or certificate',
      needs,
      otherwise:
        'Grant the app registration Application.Read.All in Microsoft Graph. Only the doctor and the warning of the Control Center need it.',
      unanswered: UNANSWERED,
      async run(signal) {
        if (proof.kind === 'federated' || proof.kind === 'managed') {
          return notUsed('The portal signs in without a secret or certificate.')
        }
        const expiring = await findExpiring(signal)
        return greenUnless(
          expiryProblems(expiring, new Date()),
          `${namesOf(expiring.map(({ what }) => what))}: valid for at least 30 days.`,
        )
      },
    },
  ]
}

/**
 * Checks sending from a mailbox of Microsoft 365. The check cannot prove that the mailbox exists, because it sends no
 * e-mail.
 */
export function graphMailCheck(
  diagnosis: Pick<DirectoryDiagnosis, 'granted'>,
  { clientId, from, needs }: { readonly clientId: string; readonly from: string; readonly needs: readonly Check[] },
): Check {
  return {
    group: 'Mail',
    name: 'Microsoft Graph',
    needs,
    otherwise: 'Grant the app registration Application.Read.All in Microsoft Graph. Only the doctor needs it.',
    async run(signal) {
      const granted = await diagnosis.granted(clientId, signal)
      if (granted.includes('Mail.Send')) return green(`The portal may send as ${from}.`)
      return red(
        'The app registration was not granted Mail.Send.',
        'Add it as an application permission of Microsoft Graph, grant admin consent, and limit it to the mailbox: docs/operate.md, "Mail".',
      )
    },
  }
}
