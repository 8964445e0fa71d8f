/** Entry files of the web application's build, apart from app.html, by the name of their output. */
export const entries: Readonly<Record<string, string>> = {
  remote: 'addons/remote-access/web/remote.html',
  developers: 'addons/api-keys/web/developers.html',
}
