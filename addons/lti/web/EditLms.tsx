import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { LmsPlatform } from '../contract/lms.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { Addresses } from './Registration.tsx'

const ADDRESSES = [
  ['issuer', 'Issuer (platform ID)'],
  ['authorizationUrl', 'Authentication request address'],
  ['tokenUrl', 'Access token address'],
  ['keySetUrl', 'Public key set address'],
] as const

export default function EditLms({ platform, close }: { platform: LmsPlatform; close: () => void }) {
  const { id, settings, addresses, deployments } = platform
  const [entered, setEntered] = useState({
    name: platform.name,
    issuer: settings?.issuer ?? '',
    clientId: settings?.clientId ?? '',
    authorizationUrl: settings?.authorizationUrl ?? '',
    tokenUrl: settings?.tokenUrl ?? '',
    tokenAudience: settings?.tokenAudience ?? '',
    keySetUrl: settings?.keySetUrl ?? '',
    deployments: deployments
      .filter(({ isAccepted }) => isAccepted)
      .map((deployment) => deployment.id)
      .join('\n'),
  })
  const [tried, setTried] = useState(false)
  const saving = useDialogSubmit(api.lms.save, ['lms'], close)
  const field = (name: keyof typeof entered, problem: string | false) => ({
    autoComplete: 'off',
    spellCheck: false,
    error: tried && problem,
    ...controlledText(entered[name], (text) => setEntered((now) => ({ ...now, [name]: text }))),
  })
  const isAddress = (name: (typeof ADDRESSES)[number][0]) => URL.canParse(entered[name].trim())
  const isComplete =
    entered.name.trim() !== '' && entered.clientId.trim() !== '' && ADDRESSES.every(([name]) => isAddress(name))
  return (
    <FormDialog
      title={`Settings of ${platform.name}`}
      submit="Save"
      wide
      busy={saving.isPending && 'Saving...'}
      close={close}
      onSubmit={() => {
        setTried(true)
        if (!isComplete) return
        saving.mutate({
          id,
          name: entered.name.trim(),
          issuer: entered.issuer.trim(),
          clientId: entered.clientId.trim(),
          authorizationUrl: entered.authorizationUrl.trim(),
          tokenUrl: entered.tokenUrl.trim(),
          tokenAudience: entered.tokenAudience.trim() || null,
          keySetUrl: entered.keySetUrl.trim(),
          deployments: [...new Set(entered.deployments.split('\n').map((line) => line.trim()))].filter(Boolean),
        })
      }}
    >
      <TextInput
        data-autofocus
        label="Name"
        maxLength={100}
        {...field('name', entered.name.trim() === '' && 'Must not be empty.')}
      />
      <TextInput label="Client ID" {...field('clientId', entered.clientId.trim() === '' && 'Enter the client ID.')} />
      {ADDRESSES.map(([name, label]) => (
        <TextInput
          key={name}
          label={label}
          inputMode="url"
          {...field(name, !isAddress(name) && 'Enter an address that starts with https://.')}
        />
      ))}
      <TextInput
        label="Access token audience"
        description="Only if the LMS states one, such as the OAuth2 audience of Brightspace."
        {...field('tokenAudience', false)}
      />
      <Textarea
        label="Deployment IDs"
        description="One per line. Launches of other deployments are refused until you accept them."
        rows={2}
        {...field('deployments', false)}
      />
      <details>
        <summary>Addresses of this portal</summary>
        <Addresses addresses={addresses} />
      </details>
    </FormDialog>
  )
}
