import { TextInput } from '@mantine/core'
import { passkey } from '../contract/second-factor.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { invalidate } from '@trainyard/platform/web/api/queries.ts'
import { useDedupedMutation } from '@trainyard/platform/web/api/useDedupedMutation.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { notify } from '@trainyard/platform/web/ui/notices.ts'
import { createPasskey } from './browser-passkey.ts'

interface AddPasskeyProps {
  made: (codes: readonly string[]) => void
  close: () => void
}

export default function AddPasskey({ made, close }: AddPasskeyProps) {
  const form = useShapedForm({
    shape: passkey.add.body.pick({ name: true }),
    initialValues: { name: '' },
    bodyOf: ({ name }) => ({ name: name.trim() }),
  })
  const adding = useDedupedMutation({
    mutationFn: async ({ name }: { name: string }) => {
      const { challenge, options } = await api.passkey.begin()
      return api.passkey.add({ challenge, name, attestation: await createPasskey(options) })
    },
    onSuccess: (reply) => {
      notify.status(reply.message)
      close()
      if (reply.recoveryCodes) made(reply.recoveryCodes)
      return invalidate('secondFactor', 'session', 'account')
    },
  })
  return (
    <FormDialog
      title="Add a passkey"
      submit="Add"
      busy={adding.isPending && 'Adding...'}
      close={close}
      onSubmit={form.onSubmit((body) => adding.mutate(body))}
    >
      <TextInput
        label="Name"
        description="The device or keyring that stores it, such as Work laptop"
        autoComplete="off"
        {...form.getInputProps('name')}
        error={form.errors['name'] ?? adding.error?.message}
      />
    </FormDialog>
  )
}
