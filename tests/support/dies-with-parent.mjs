// Loaded into a site by `--import`: its standard input closes when the process that started it is gone, however it went.
// Its workers, which inherit the import, end with it.
if (process.env.DIES_WITH === String(process.ppid)) {
  process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL')).resume()
  process.stdin.unref()
}
