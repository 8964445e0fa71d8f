/** Returns what may have the focus when a row or card goes with the button pressed in it: the same of its neighbour. */
export function besideOf(pressed: Element): HTMLElement | null {
  const row = pressed.closest('tr, li')
  const place = row === null ? -1 : buttonsOf(row).indexOf(pressed as HTMLElement)
  const neighbours = [row?.nextElementSibling, row?.previousElementSibling]
  // Without a neighbour nothing of the list is left: the screen's heading is where its news begins.
  return (
    neighbours.map((each) => each && buttonsOf(each)[place]).find((button) => button != null) ??
    document.querySelector('h1')
  )
}

const buttonsOf = (within: Element) => [...within.querySelectorAll<HTMLElement>('button')]
