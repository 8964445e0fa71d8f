/** What a canvas needs to be told, since it does not read style sheets: tokens as the colours that they are now. */
export function colourOf(element: HTMLElement, token: `--${string}`): string {
  const before = element.style.color
  element.style.color = `var(${token})`
  const { color } = getComputedStyle(element)
  element.style.color = before
  return color
}
