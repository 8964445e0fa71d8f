import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { CopyButton } from '@trainyard/platform/web/ui/CopyButton.tsx'
import { DeleteButton } from '@trainyard/platform/web/ui/IconButtons.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { DeleteDialog } from '@trainyard/platform/web/forms/DeleteDialog.tsx'
import styles from './Domains.module.css'
import type { ProviderSettings } from './provider-form.ts'

export function Domains({ organization, domains }: { organization: string; domains: ProviderSettings['domains'] }) {
  const { role } = useMe()
  const [entered, setEntered] = useState('')
  const [toDelete, setToDelete] = useState<string | null>(null)
  const change = useAction((send: () => Promise<{ message: string }>) => send(), {
    invalidates: ['identityProvider'],
    refetchesOnFailure: true,
  })
  const { identityProvider } = api
  return (
    <>
      <h3>Domains</h3>
      <ul className={styles.domains}>
        {domains.map(({ domain, verifiedBy, record }) => (
          <li key={domain}>
            <div className="row">
              <strong>{domain}</strong>
              <span className="dim">
                {verifiedBy === null ? 'Not verified' : verifiedBy === 'dns' ? 'Verified by DNS' : 'Verified by hand'}
              </span>
              <DeleteButton name={domain} onClick={() => setToDelete(domain)} />
            </div>
            {verifiedBy === null && (
              <>
                <div className="row">
                  <span>
                    Publish this TXT record: <code>{record}</code>
                  </span>
                  <CopyButton text={record} label={`Copy the record of ${domain}`} />
                </div>
                <div className="row">
                  <Button
                    variant="default"
                    disabled={change.isPending}
                    onClick={() => change.mutate(() => identityProvider.verifyDomain({ organization, domain }))}
                  >
                    Verify {domain}
                  </Button>
                  {role === 'superadmin' && (
                    <Button
                      variant="default"
                      disabled={change.isPending}
                      onClick={() => change.mutate(() => identityProvider.confirmDomain({ organization, domain }))}
                    >
                      Verify {domain} by hand
                    </Button>
                  )}
                </div>
              </>
            )}
          </li>
        ))}
      </ul>
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault()
          const domain = entered.trim()
          if (domain === '') return
          change.mutate(() => identityProvider.addDomain({ organization, domain }), { onSuccess: () => setEntered('') })
        }}
      >
        <TextInput
          label="Domain"
          description="The part of your e-mail addresses after the @."
          autoComplete="off"
          {...controlledText(entered, setEntered)}
        />
        <Button type="submit" variant="default" disabled={change.isPending || entered.trim() === ''}>
          Add Domain
        </Button>
      </form>
      {toDelete !== null && (
        <DeleteDialog
          name={toDelete}
          remove={() => identityProvider.removeDomain({ organization, domain: toDelete })}
          invalidates={['identityProvider']}
          close={() => setToDelete(null)}
        >
          <p>Users with an e-mail of this domain can no longer sign in through the provider.</p>
        </DeleteDialog>
      )}
    </>
  )
}
