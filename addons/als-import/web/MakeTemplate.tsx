import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import { labImport } from '../contract/lab-import.ts'
import { rupeesIn } from '@trainyard/platform/contract/words/money.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { templateAddress } from '@trainyard/templates/web/slots.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'

interface MakeTemplateProps {
  lab: string
  proposed: ReplyOf<typeof labImport.plan>['newTemplate']
  close: () => void
}

export default function MakeTemplate({ lab, proposed, close }: MakeTemplateProps) {
  const [privateNetwork, setPrivateNetwork] = useState('')
  const making = useDialogSubmit(api.labImport.makeTemplate, ['labImport', 'template'], close)
  const form = useShapedForm({
    shape: labImport.makeTemplate.body,
    initialValues: { name: proposed.name, rate: '', resourceGroup: '', vnet: '', imageId: proposed.imageId },
    bodyOf: ({ name, rate, resourceGroup, vnet, imageId }) => ({
      lab,
      name: name.trim(),
      rate: rupeesIn(rate),
      resourceGroup: resourceGroup.trim(),
      vnet: vnet.trim(),
      ...(privateNetwork !== '' && { privateNetwork }),
      imageId: imageId.trim(),
    }),
  })
  return (
    <FormDialog
      title="Create a Template"
      submit="Create and Assign"
      busy={making.isPending && 'Creating...'}
      onSubmit={form.onSubmit((body) => making.mutate(body))}
      close={close}
    >
      <p>
        Size {proposed.vmSize}, {proposed.os}, {proposed.location}. The template is assigned to the organisation.
      </p>
      <TextInput data-autofocus label="Name" {...form.getInputProps('name')} />
      <TextInput label="Rate per hour (₹)" inputMode="decimal" {...form.getInputProps('rate')} />
      <TextInput label="Resource group" {...form.getInputProps('resourceGroup')} />
      <TextInput label="Network" {...form.getInputProps('vnet')} />
      <Fills of={templateAddress} props={{ network: privateNetwork, choose: setPrivateNetwork }} />
      <TextInput
        label="Image"
        description="publisher:offer:sku:version, or a resource ID"
        {...form.getInputProps('imageId')}
      />
    </FormDialog>
  )
}
