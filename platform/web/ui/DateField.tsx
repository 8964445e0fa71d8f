import { TextInput, type TextInputProps } from '@mantine/core'
import { formatDate } from './time.ts'

type DateFieldProps = Omit<TextInputProps, 'type' | 'value'> & { value: string }

/** Field for a day. Below it stands the day as DD/MM/YYYY, because browsers order its parts by their own language. */
export const DateField = ({ value, description, ...field }: DateFieldProps) => (
  <TextInput
    type="date"
    value={value}
    description={
      <>
        {description} {value !== '' && formatDate(value)}
      </>
    }
    inputWrapperOrder={['label', 'input', 'description', 'error']}
    {...field}
  />
)
