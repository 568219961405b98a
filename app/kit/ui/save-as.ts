/** Downloads a file that the page holds. */
export function saveAs(name: string, blob: Blob) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // Later, as some browsers start reading after the click.
  setTimeout(URL.revokeObjectURL, 10_000, link.href)
}
