/**
 * Returns true if no segment is empty, consists of dots only, or contains a character that ends or escapes a URL path.
 */
export const hasNoPathTraversal = (id: string): boolean =>
  id
    .replace(/^\//, '')
    .split(/[/:]/)
    .every((name) => name !== '' && !/^\.+$/.test(name) && !/[?#%\\\p{Cc}]/u.test(name))
