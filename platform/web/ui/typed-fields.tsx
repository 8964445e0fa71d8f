export const controlledText = <Value extends string>(value: Value, change: (to: Value) => void) => ({
  value,
  onChange: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value as Value),
})

export const controlledCheck = (checked: boolean, change: (to: boolean) => void) => ({
  checked,
  onChange: (event: { currentTarget: { checked: boolean } }) => change(event.currentTarget.checked),
})
