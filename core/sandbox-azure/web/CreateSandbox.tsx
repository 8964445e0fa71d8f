import { NativeSelect, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import {
  SANDBOX_LOCATIONS,
  SANDBOX_NAME_LENGTH,
  type SandboxLocation,
} from '@trainyard/platform/contract/words/limits.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import {
  groupNameOf,
  isSandboxName,
  sandboxCreditsLeft,
  canCreateSandbox,
} from '@trainyard/lab-users/contract/sandbox-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { ReasonButton } from '@trainyard/platform/web/ui/ReasonButton.tsx'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { newId } from '@trainyard/platform/web/api/new-id.ts'
import type { AzureAccount } from '@trainyard/lab-users/web/azure-account.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import sheet from '@trainyard/lab-users/web/Sheet.module.css'
import styles from './AzureSandbox.module.css'

export function CreateSandbox({ account }: { account: AzureAccount }) {
  const [name, setName] = useState('')
  const [location, setLocation] = useState<SandboxLocation>(SANDBOX_LOCATIONS[0])
  const [tried, setTried] = useState(false)
  // The key changes with the form. A retry after a lost reply has the same key and creates no second sandbox.
  const [idempotencyKey, setIdempotencyKey] = useState(newId)
  const creation = useAction(
    () =>
      api.azureSandbox.create(
        { resourceGroupName: groupNameOf(account.userId, name), resourceGroupLocation: location },
        { idempotencyKey },
      ),
    {
      invalidates: ['azureSandbox'],
      fallback: ALERTS.sandboxCreateFailed,
      done: ALERTS.sandboxRequested,
      onDone: () => {
        setName('')
        setTried(false)
        setIdempotencyKey(newId())
      },
    },
  )
  const { credits, limit, sandbox } = account
  const may = canCreateSandbox({ credits, limit, live: sandbox.length })
  const create = () => {
    setTried(true)
    if (isSandboxName(name) && may === true && !creation.isPending) creation.mutate()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create()
  }
  return (
    <section className={`panel ${sheet.sheet}`} aria-labelledby="create-sandbox">
      <h2 id="create-sandbox">Create Sandbox</h2>
      <form className={styles.form} noValidate onSubmit={submit}>
        <TextInput
          label="Sandbox name"
          description={
            <>
              Its resource group is <span className="mono">{groupNameOf(account.userId, name || 'name')}</span>
            </>
          }
          autoComplete="off"
          autoCapitalize="none"
          maxLength={SANDBOX_NAME_LENGTH}
          error={tried && !isSandboxName(name) && <span role="alert">{ALERTS.sandboxName}</span>}
          {...controlledText(name, (text) => {
            setName(text.trim())
            setTried(false)
            setIdempotencyKey(newId())
          })}
        />
        <NativeSelect
          label="Location"
          data={[...SANDBOX_LOCATIONS]}
          {...controlledText(location, (to) => {
            setLocation(to)
            setIdempotencyKey(newId())
          })}
        />
        <div>
          <ReasonButton may={creation.isPending ? 'The sandbox is being created.' : may} onClick={create}>
            {creation.isPending ? 'Creating...' : 'Create Sandbox'}
          </ReasonButton>
        </div>
        {limit !== null && (
          <p className="dim">
            {sandbox.length} of {limit} {limit === 1 ? 'sandbox' : 'sandboxes'} in use.
          </p>
        )}
        {may !== true && (
          <p className={styles.reason}>
            {may}
            {sandboxCreditsLeft(credits) <= 0 && ' Existing resources are read-only until they are deleted.'}
          </p>
        )}
      </form>
    </section>
  )
}
