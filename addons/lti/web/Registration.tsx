import { Button } from '@mantine/core'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { lms, LmsPlatform } from '../contract/lms.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { CopyButton } from '@trainyard/platform/web/ui/CopyButton.tsx'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import styles from './Lms.module.css'

export type RegistrationLink = ReplyOf<typeof lms.create>

interface RegistrationProps {
  platform: LmsPlatform
  link: RegistrationLink | null
  renewed: (link: RegistrationLink) => void
}

/** The one-time link with which an LMS registers the portal, and the addresses to enter at the LMS by hand. */
export function Registration({ platform, link, renewed }: RegistrationProps) {
  const { id, registrationExpires, addresses } = platform
  const renewing = useAction(() => api.lms.renewLink({ id }), { invalidates: ['lms'], onDone: renewed })
  return (
    <>
      {link === null ? (
        <p>
          {registrationExpires === null ? (
            'There is no open registration link.'
          ) : (
            <>
              A registration link is open until <Instant at={registrationExpires} />. It is not shown again.
            </>
          )}
        </p>
      ) : (
        <output className={styles.link}>
          <span>
            Enter this link in your LMS as the tool’s registration address. It works once, until{' '}
            <Instant at={link.expires} />, and is <strong>not shown again</strong>.
          </span>
          <Copyable text={link.registrationUrl} label="Copy the registration link" />
        </output>
      )}
      <div className="row">
        <Button variant="default" disabled={renewing.isPending} onClick={() => renewing.mutate()}>
          {renewing.isPending ? 'Creating...' : 'Create New Link'}
        </Button>
      </div>
      <details>
        <summary>Set up by hand</summary>
        <p className="dim">Enter these addresses in your LMS, then the values that it shows under Settings here.</p>
        <Addresses addresses={addresses} />
      </details>
    </>
  )
}

export const Addresses = ({ addresses }: { addresses: LmsPlatform['addresses'] }) => (
  <dl className={styles.addresses}>
    {(
      [
        ['Login (initiation) address', addresses.login],
        ['Redirect address', addresses.redirect],
        ['Tool or target address', addresses.target],
        ['Key set (JWKS) address', addresses.keySet],
      ] as const
    ).map(([term, text]) => (
      <div key={term}>
        <dt>{term}</dt>
        <dd>
          <Copyable text={text} label={`Copy the ${term.toLowerCase()}`} />
        </dd>
      </div>
    ))}
  </dl>
)

const Copyable = ({ text, label }: { text: string; label: string }) => (
  <span className={styles.copyable}>
    <code>{text}</code>
    <CopyButton text={text} label={label} />
  </span>
)
