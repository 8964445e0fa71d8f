import { Textarea, TextInput } from '@mantine/core'
import { lms, type LmsPlatform } from '../contract/lms.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { Addresses } from './Registration.tsx'

const ADDRESSES = [
  ['issuer', 'Issuer (platform ID)'],
  ['authorizationUrl', 'Authentication request address'],
  ['tokenUrl', 'Access token address'],
  ['keySetUrl', 'Public key set address'],
] as const

export default function EditLms({ platform, close }: { platform: LmsPlatform; close: () => void }) {
  const { id, settings, addresses, deployments } = platform
  const form = useShapedForm({
    shape: lms.save.body,
    initialValues: {
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
    },
    bodyOf: (entered) => ({
      id,
      name: entered.name.trim(),
      issuer: entered.issuer.trim(),
      clientId: entered.clientId.trim(),
      authorizationUrl: entered.authorizationUrl.trim(),
      tokenUrl: entered.tokenUrl.trim(),
      tokenAudience: entered.tokenAudience.trim() || null,
      keySetUrl: entered.keySetUrl.trim(),
      deployments: [...new Set(entered.deployments.split('\n').map((line) => line.trim()))].filter(Boolean),
    }),
  })
  const saving = useDialogSubmit(api.lms.save, ['lms'], close)
  const field = (name: keyof typeof form.values) => ({
    autoComplete: 'off',
    spellCheck: false,
    ...form.getInputProps(name),
  })
  return (
    <FormDialog
      title={`Settings of ${platform.name}`}
      submit="Save"
      wide
      busy={saving.isPending && 'Saving...'}
      close={close}
      onSubmit={form.onSubmit((body) => saving.mutate(body))}
    >
      <TextInput data-autofocus label="Name" maxLength={100} {...field('name')} />
      <TextInput label="Client ID" {...field('clientId')} />
      {ADDRESSES.map(([name, label]) => (
        <TextInput key={name} label={label} inputMode="url" {...field(name)} />
      ))}
      <TextInput
        label="Access token audience"
        description="Only if the LMS states one, such as the OAuth2 audience of Brightspace."
        {...field('tokenAudience')}
      />
      <Textarea
        label="Deployment IDs"
        description="One per line. Launches of other deployments are refused until you accept them."
        rows={2}
        {...field('deployments')}
      />
      <details>
        <summary>Addresses of this portal</summary>
        <Addresses addresses={addresses} />
      </details>
    </FormDialog>
  )
}
