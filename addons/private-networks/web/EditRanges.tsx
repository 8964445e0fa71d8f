import { type Network, network as networkCalls } from '../contract/network.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { RangesField, rangesIn } from './RangesField.tsx'

export default function EditRanges({ network: { name, ranges }, close }: { network: Network; close: () => void }) {
  const change = useDialogSubmit(api.network.change, ['network'], close)
  const form = useShapedForm({
    shape: networkCalls.change.body,
    initialValues: { ranges: ranges.join('\n') },
    bodyOf: (entered) => ({ network: name, ranges: rangesIn(entered.ranges) }),
  })
  return (
    <FormDialog
      title={`Edit ${name}`}
      submit="Save"
      busy={change.isPending && 'Saving...'}
      close={close}
      onSubmit={form.onSubmit((body) => change.mutate(body))}
    >
      <RangesField {...form.getInputProps('ranges')} />
    </FormDialog>
  )
}
