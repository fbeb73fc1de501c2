# SPDX-License-Identifier: GPL-3.0-or-later
"""An ssh server of this machine with keys and configuration of its own, for the benchmarks. The host "loop" is it."""
import os, pathlib, shutil, socket, subprocess, tempfile


class LoopbackSsh:
    def __init__(self, address="127.0.0.1", inside=(), proxy=""):
        """`inside`: words that run a program where the server is, as in a network namespace. `proxy`: a ProxyCommand."""
        self.folder = folder = pathlib.Path(tempfile.mkdtemp(prefix="hw-", dir="/tmp"))
        for key in ("host_key", "key"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / key], check=True)
        shutil.copy(folder / "key.pub", folder / "authorized_keys")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        (folder / "sshd_config").write_text(
            f"Port {port}\nListenAddress {address}\nHostKey {folder}/host_key\nAuthorizedKeysFile {folder}/authorized_keys\n"
            "PidFile none\nStrictModes no\nUsePAM no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\n"
            "PermitRootLogin prohibit-password\nMaxStartups 50\n")
        (folder / "known_hosts").write_text(f"[{address}]:{port} " + (folder / "host_key.pub").read_text())
        (folder / "ssh_config").write_text(
            f"Host loop\n  HostName {address}\n  Port {port}\n  IdentityFile {folder}/key\n  IdentityAgent none\n"
            f"  UserKnownHostsFile {folder}/known_hosts\n" + (f"  ProxyCommand {proxy} {address} {port}\n" if proxy else "") +
            "Host *\n  GlobalKnownHostsFile /dev/null\n")
        if os.getuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)
        (folder / "runtime").mkdir(mode=0o700)
        os.environ.update(HEADROOM_SSH_CONFIG=str(folder / "ssh_config"), HEADROOM_PLACES=str(folder / "places.json"),
                          XDG_RUNTIME_DIR=str(folder / "runtime"))
        self.daemon = subprocess.Popen([*inside, shutil.which("sshd") or "/usr/sbin/sshd", "-D", "-f", folder / "sshd_config"],
                                       stderr=subprocess.DEVNULL)

    def close(self):
        for control in (self.folder / "runtime/headroom").glob("*"):
            subprocess.run(["ssh", "-O", "exit", "-o", f"ControlPath={control}", "loop"], stderr=subprocess.DEVNULL)
        self.daemon.terminate()
        self.daemon.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
