import { NativeSelect, TextInput } from '@mantine/core'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { NetworkRoute } from '@trainyard/platform/contract/words/network.ts'
import { network as networkCalls } from '../contract/network.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { RangesField, rangesIn } from './RangesField.tsx'

const ROUTES: readonly { readonly value: NetworkRoute; readonly label: string }[] = [
  { value: 'gateway', label: 'Through a gateway inside the network' },
  { value: 'peering', label: 'Directly, because the portal’s network is peered with it' },
]

type NetworkForm = { name: string; route: NetworkRoute; ranges: string }

export default function CreateNetwork({ close }: { close: () => void }) {
  const creation = useDialogSubmit(api.network.create, ['network'], close)
  const form = useShapedForm<NetworkForm, BodyOf<typeof networkCalls.create>>({
    shape: networkCalls.create.body,
    initialValues: { name: '', route: 'gateway', ranges: '' },
    bodyOf: ({ name, route, ranges }) => ({ name: name.trim(), route, ranges: rangesIn(ranges) }),
  })
  return (
    <FormDialog
      title="Create Network"
      submit="Create"
      busy={creation.isPending && 'Creating...'}
      close={close}
      onSubmit={form.onSubmit((body) => creation.mutate(body))}
    >
      <TextInput data-autofocus label="Network Name" autoComplete="off" {...form.getInputProps('name')} />
      <NativeSelect label="How the portal reaches it" data={[...ROUTES]} {...form.getInputProps('route')} />
      <RangesField {...form.getInputProps('ranges')} />
    </FormDialog>
  )
}
