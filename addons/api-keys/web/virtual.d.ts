declare module 'virtual:api-reference' {
  const url: string
  export default url
}
