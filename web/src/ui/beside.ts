/** Returns the element to focus when the row of a pressed button is removed: the same button in a neighbouring row. */
export function focusAfterRemoval(pressed: Element): HTMLElement | null {
  const row = pressed.closest('tr, li')
  const place = row === null ? -1 : buttonsOf(row).indexOf(pressed as HTMLElement)
  const neighbours = [row?.nextElementSibling, row?.previousElementSibling]
  // No rows are left: focus the screen's heading.
  return (
    neighbours.map((each) => each && buttonsOf(each)[place]).find((button) => button != null) ??
    document.querySelector('h1')
  )
}

const buttonsOf = (within: Element) => [...within.querySelectorAll<HTMLElement>('button')]
