/** Saves a file that a screen holds, as if it had been downloaded. */
export function saveAs(name: string, blob: Blob) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // Later: some browsers begin to read it after the click.
  setTimeout(URL.revokeObjectURL, 10_000, link.href)
}
