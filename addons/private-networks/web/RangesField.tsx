import { Textarea, type TextareaProps } from '@mantine/core'

export const rangesIn = (entered: string): string[] => entered.split(/[\s,]+/).filter((range) => range !== '')

export const RangesField = (field: TextareaProps) => (
  <Textarea
    label="Address Ranges"
    description="The subnets of the machines, one per line. The portal connects to no other private address."
    placeholder="10.20.0.0/16"
    rows={4}
    spellCheck={false}
    {...field}
  />
)
