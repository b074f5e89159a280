#!/usr/bin/env python3
"""Time and memory of an unchanged tree against its size, without the cache, with a cold and with a warm one.

usage: scripts/grow.py EVENKEEL [CELLS...]      default: 10 100 1000 5000

Makes a repository of N releases (a Deployment, a Service, a ConfigMap and a Secret each, a values file of its own; ten
releases share a chart), and verifies it against its HEAD. Prints the best of three runs; a cold cache is emptied each time.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import time

TEMPLATES = {
    "deployment.yaml": """apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "app.name" . }}
  labels: {{- include "app.labels" . | nindent 4 }}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: {{ include "app.name" . }}}}
  template:
    metadata:
      labels: {{- include "app.labels" . | nindent 8 }}
      annotations: {checksum/config: {{ toYaml .Values.settings | sha256sum }}}
    spec:
      containers:
      - name: app
        image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
        envFrom: [{configMapRef: {name: {{ include "app.name" . }}}}, {secretRef: {name: {{ include "app.name" . }}}}]
        {{- with .Values.resources }}
        resources: {{- toYaml . | nindent 10 }}
        {{- end }}
""",
    "service.yaml": """apiVersion: v1
kind: Service
metadata: {name: {{ include "app.name" . }}}
spec:
  selector: {app: {{ include "app.name" . }}}
  ports: [{port: {{ .Values.port }}}]
""",
    "config.yaml": """apiVersion: v1
kind: ConfigMap
metadata: {name: {{ include "app.name" . }}}
data:
  {{- range $key, $value := .Values.settings }}
  {{ $key }}: {{ tpl $value $ | quote }}
  {{- end }}
""",
    "secret.yaml": """apiVersion: v1
kind: Secret
metadata: {name: {{ include "app.name" . }}}
stringData: {token: {{ .Values.token | quote }}}
""",
    "_helpers.tpl": """{{- define "app.name" }}{{ printf "%s" .Release.Name | trunc 63 | trimSuffix "-" }}{{ end }}
{{- define "app.labels" }}app: {{ include "app.name" . }}
version: {{ .Chart.AppVersion | quote }}{{ end }}
""",
}
DEFAULTS = """replicas: 1
port: 80
token: none
image: {repository: registry.example.com/app}
resources: {limits: {memory: 128Mi}}
settings: {}
"""


def write(root, name, text):
    path = os.path.join(root, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def git(root, *args):
    subprocess.run(["git", "-c", "user.name=grow", "-c", "user.email=grow@example.invalid", *args],
                   cwd=root, check=True, stdout=subprocess.DEVNULL)


def grow(root, cells):
    config = ["kubeVersion: v1.36.2\nreleases:\n"]
    for cell in range(cells):
        chart, name = f"charts/c{cell // 10}", f"r{cell}"
        config.append(f"- chart: {chart}\n  name: {name}\n  namespace: apps\n  values: [values/{name}.yaml]\n")
        settings = "".join(f"  KEY_{at}: \"{{{{ .Release.Name }}}}-{cell * at}\"\n" for at in range(12))
        write(root, f"values/{name}.yaml", f"replicas: {cell % 4 + 1}\ntoken: token-{cell}\nsettings:\n{settings}")
        if cell % 10 == 0:
            write(root, f"{chart}/Chart.yaml", f"apiVersion: v2\nname: c{cell // 10}\nversion: 0.1.0\nappVersion: 1.0.0\n")
            write(root, f"{chart}/values.yaml", DEFAULTS)
            for file, text in TEMPLATES.items():
                write(root, f"{chart}/templates/{file}", text)
    write(root, "evenkeel.yaml", "".join(config))
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "grown")


def measure(command, root, cache, is_cold):
    """Seconds and MiB of the best of three runs."""
    best = None
    for _ in range(3):
        if is_cold:
            shutil.rmtree(cache, ignore_errors=True)
        start = time.monotonic()
        child = subprocess.Popen(command, cwd=root, stdout=subprocess.DEVNULL, env={**os.environ, "EVENKEEL_CACHE_DIR": cache})
        _, status, usage = os.wait4(child.pid, 0)
        took = (time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
        if os.waitstatus_to_exitcode(status) != 0:
            sys.exit(f"{command} failed: {status}")
        best = min(best or took, took)
    return best


def main():
    binary = os.path.abspath(sys.argv[1])
    sizes = [int(size) for size in sys.argv[2:]] or [10, 100, 1000, 5000]
    print("cells  cache      wall s   cpu s    MiB")
    for cells in sizes:
        with tempfile.TemporaryDirectory() as folder:
            root, cache = os.path.join(folder, "repository"), os.path.join(folder, "cache")
            os.mkdir(root)
            grow(root, cells)
            verify = [binary, "verify", "--against", "HEAD", "--no-progress", "--quiet"]
            for name, more, is_cold in [("none", ["--no-cache"], False), ("cold", [], True), ("warm", [], False)]:
                wall, cpu, memory = measure(verify + more, root, cache, is_cold)
                print(f"{cells:5}  {name:8} {wall:8.3f} {cpu:7.3f} {memory:6.0f}", flush=True)


if __name__ == "__main__":
    main()
