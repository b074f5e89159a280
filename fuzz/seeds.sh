#!/bin/sh
# Fills fuzz/corpus with seeds made from the bundled fixtures. Safe to run again.
set -eu
cd "$(dirname "$0")/.."
for target in archive config render set template yaml; do mkdir -p "fuzz/corpus/$target"; done
number=0
find fixtures -name '*.yaml' -o -name '*.tpl' -o -name '*.txt' | sort | while read -r file; do
    number=$((number + 1))
    case $file in
        */evenkeel.yaml) cp "$file" "fuzz/corpus/config/$number" ;;
        */templates/*)
            cp "$file" "fuzz/corpus/template/$number"
            { cat "$file"; printf '\000a: 1\nb: {c: [1, "x"]}\n\000text\n'; } >"fuzz/corpus/render/$number"
            ;;
        *) cp "$file" "fuzz/corpus/yaml/$number" ;;
    esac
done
printf '\001a.b[0].c=1,d={x,y},e=null,f=\\,g' >fuzz/corpus/set/1
printf '\000a={"b":[1,2,null]},c[1]=true' >fuzz/corpus/set/2
printf '\002a=1,b=0042' >fuzz/corpus/set/3
printf '\003a=f' >fuzz/corpus/set/4
printf '\004a.b=x,y' >fuzz/corpus/set/5
for chart in $(find fixtures -name Chart.yaml | sort | head -5); do
    tar -C "$(dirname "$(dirname "$chart")")" -cf "fuzz/corpus/archive/$(echo "$chart" | tr / -).tar" "$(basename "$(dirname "$chart")")"
done
