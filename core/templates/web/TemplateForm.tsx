import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { type ReactNode, useEffect } from 'react'
import { template, templateForm } from '../contract/template.ts'
import { DISK_SKUS, LICENCES, OPERATING_SYSTEMS } from '@trainyard/platform/contract/words/limits.ts'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import {
  AZURE_TEXTS,
  type EnteredTemplate,
  templateOf,
  licenceFor,
  offeredAs,
  PLAN_TEXTS,
  TEXTS,
  type NewTemplate,
  type TextField,
} from './template-form.ts'
import styles from './TemplateForm.module.css'
import { templateAddress, templateImage, templatePreview } from './slots.ts'
import { VmSizeField } from './VmSizeField.tsx'

const hints: Partial<Record<TextField, string>> = {
  location: 'southindia',
  imageId: 'The id of an image, or publisher:offer:sku:version',
}

interface TemplateFormProps {
  title: string
  submit: string
  busy: string | false
  first: EnteredTemplate
  /** Fields of another card, which replace all but the name. */
  copy?: EnteredTemplate | undefined
  /** True for an existing card, whose name can't be changed. */
  named?: boolean
  note?: ReactNode
  send: (template: NewTemplate) => void
  close: () => void
}

export function TemplateForm({
  title,
  submit,
  busy,
  first,
  copy,
  named = false,
  note,
  send,
  close,
}: TemplateFormProps) {
  const form = useShapedForm({
    shape: named ? templateForm : template.create.body,
    initialValues: first,
    bodyOf: templateOf,
  })
  const { values, errors, setValues } = form
  useEffect(() => {
    if (copy !== undefined) setValues(({ name }) => ({ ...copy, name }))
  }, [copy, setValues])
  const field = ([name, label]: [string, string]) => (
    <TextInput
      key={name}
      label={label}
      readOnly={named && name === 'name'}
      description={
        named && name === 'name'
          ? 'It can’t be changed, because orders refer to the card by it.'
          : name === 'vnet'
            ? 'Name, or resource ID of a virtual network or subnet.'
            : undefined
      }
      placeholder={hints[name as TextField]}
      autoComplete="off"
      inputMode={name === 'rate' ? 'decimal' : undefined}
      {...form.getInputProps(name as TextField)}
    />
  )
  return (
    <FormDialog
      title={title}
      submit={submit}
      wide
      busy={busy}
      close={close}
      onSubmit={form.onSubmit((body) => send(body))}
    >
      {note}
      <Fills
        of={templateImage}
        props={{
          imageId: values.imageId,
          choose({ imageId, location, os }) {
            form.setValues({ imageId: imageId!, location, os, licence: licenceFor({ ...values, os }) })
          },
          clear: () => form.setFieldValue('imageId', ''),
        }}
      />
      <div className={styles.fields}>
        {Object.entries(TEXTS).map(field)}
        <VmSizeField
          size={values.vmSize}
          location={values.location}
          error={errors['vmSize']}
          choose={(vmSize, facts) =>
            form.setValues({
              vmSize,
              ...(facts && { cpu: `${facts.cores} vCPU` }),
              ...(facts && facts.memoryGb !== null && { memory: `${facts.memoryGb} GB` }),
            })
          }
        />
        <NativeSelect
          label="OS"
          data={OPERATING_SYSTEMS}
          {...controlledText(values.os, (os) => form.setValues({ os, licence: licenceFor({ ...values, os }) }))}
        />
        <NativeSelect
          label="Licence"
          description={values.os === 'Windows' ? undefined : 'Windows_Server requires Windows.'}
          data={LICENCES}
          disabled={values.os !== 'Windows'}
          {...form.getInputProps('licence')}
        />
        <Fills
          of={templateAddress}
          props={{ network: values.privateNetwork, choose: (network) => form.setFieldValue('privateNetwork', network) }}
        />
      </div>
      <Checkbox
        label="Official image"
        description="From the marketplace, with a plan."
        {...form.getInputProps('isOfficial', { type: 'checkbox' })}
      />
      {values.isOfficial && <div className={styles.fields}>{Object.entries(PLAN_TEXTS).map(field)}</div>}
      <details open={(errors['tags'] ?? errors['diskEncryptionSet']) === undefined ? undefined : true}>
        <summary>Azure policies</summary>
        <div className={styles.policies}>
          <Textarea
            label={AZURE_TEXTS.tags}
            description="One name=value per line, on every resource of a machine. Tags of the organisation are added."
            autosize
            minRows={2}
            {...form.getInputProps('tags')}
          />
          <NativeSelect label="Disk Type" data={DISK_SKUS} {...form.getInputProps('diskSku')} />
          <TextInput
            label={AZURE_TEXTS.diskEncryptionSet}
            description="Resource ID. Leave empty for keys that Azure manages."
            autoComplete="off"
            {...form.getInputProps('diskEncryptionSet')}
          />
          <Checkbox
            label="Encryption at host"
            description="The feature must be registered for the subscription."
            {...form.getInputProps('encryptionAtHost', { type: 'checkbox' })}
          />
          <Checkbox
            label="Boot diagnostics"
            description="Stored in a storage account that Azure manages."
            {...form.getInputProps('bootDiagnostics', { type: 'checkbox' })}
          />
        </div>
      </details>
      <Fills of={templatePreview} props={offeredAs(values)} />
    </FormDialog>
  )
}
